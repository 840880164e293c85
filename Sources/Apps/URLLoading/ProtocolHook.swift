import Foundation
import FoundationNetworking
import Glibc

/// Puts ``ExplainedLoading`` before Foundation's own protocol in the configuration of each session.
///
/// Foundation asks the configuration of a session for its protocols at each task. Neither a registered protocol nor a
/// subclass reaches sessions that apps make by `URLSession(configuration: .default)`. So the getter of
/// `protocolClasses` in the table of the class is exchanged for that of a subclass, as apps do on Apple's systems with a
/// method of Objective-C.
enum ProtocolHook {
    /// The getter of `URLSessionConfiguration.protocolClasses`, in Swift's mangling.
    private static let getter = "$s20FoundationNetworking23URLSessionConfigurationC15protocolClassesSayyXlXpGSgvg"
    /// The places in a class's metadata of its size and of the address point, both in bytes and 32 bits wide
    /// (`docs/ABI/TypeMetadata.rst` of Swift, without Objective-C).
    private static let (sizeOffset, addressPointOffset) = (32, 36)

    /// Exchanges the getter, once.
    ///
    /// - Returns: Whether it was found. If another version of Foundation has it elsewhere, errors keep Foundation's
    ///   codes.
    static let isInstalled: Bool = {
        // Found before the exchange: it reads the same property. The shared session knows registered protocols only.
        guard ExplainedLoading.foundations != nil, URLProtocol.registerClass(ExplainedLoading.self),
            let implementation = dlsym(nil, getter)
        else { return false }
        let table = unsafeBitCast(
            URLSessionConfiguration.self as AnyClass, to: UnsafeMutablePointer<UnsafeRawPointer?>.self)
        let replacement = unsafeBitCast(
            HookedConfiguration.self as AnyClass, to: UnsafePointer<UnsafeRawPointer?>.self)
        let size = UnsafeRawPointer(table).load(fromByteOffset: sizeOffset, as: UInt32.self)
        let before = UnsafeRawPointer(table).load(fromByteOffset: addressPointOffset, as: UInt32.self)
        let count = Int(size - before) / MemoryLayout<UnsafeRawPointer?>.stride
        guard let place = (0..<count).first(where: { table[$0] == UnsafeRawPointer(implementation) }) else {
            return false
        }
        table[place] = replacement[place]
        return true
    }()
}

/// Its getter serves every configuration; no object of this class is made.
private final class HookedConfiguration: URLSessionConfiguration, @unchecked Sendable {
    override var protocolClasses: [AnyClass]? {
        get {
            guard var classes = super.protocolClasses, !classes.contains(where: { $0 == ExplainedLoading.self }),
                let place = classes.firstIndex(where: { $0 == ExplainedLoading.foundations })
            else { return super.protocolClasses }
            classes.insert(ExplainedLoading.self, at: place)
            return classes
        }
        set { super.protocolClasses = newValue }
    }
}
