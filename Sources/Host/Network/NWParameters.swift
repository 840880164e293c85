import Synchronization

/// The options of a new connection.
public final class NWParameters: Sendable {
    private let required = Mutex(NWInterface.InterfaceType.other)

    private init() {}

    /// New parameters for plain TCP, without TLS.
    public class var tcp: NWParameters { NWParameters() }

    /// The kind of interface that a connection must use; `other` means any.
    public var requiredInterfaceType: NWInterface.InterfaceType {
        get { required.withLock { $0 } }
        set { required.withLock { $0 = newValue } }
    }

    /// A copy for a connection: the app may change the original afterwards.
    func copy() -> NWParameters {
        let copy = NWParameters()
        copy.requiredInterfaceType = requiredInterfaceType
        return copy
    }
}
