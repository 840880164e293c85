import Synchronization

/// How a connection is to be made.
public final class NWParameters: Sendable {
    private let required = Mutex(NWInterface.InterfaceType.other)

    private init() {}

    /// TCP, and nothing above it.
    public class var tcp: NWParameters { NWParameters() }

    /// The kind of interface that a connection must use; `other` for any.
    public var requiredInterfaceType: NWInterface.InterfaceType {
        get { required.withLock { $0 } }
        set { required.withLock { $0 = newValue } }
    }

    /// The same, for a connection to keep while the app changes these.
    func copy() -> NWParameters {
        let copy = NWParameters()
        copy.requiredInterfaceType = requiredInterfaceType
        return copy
    }
}
