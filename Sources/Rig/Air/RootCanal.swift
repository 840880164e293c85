import Glibc
import RadioModel
import Synchronization

/// The reason why RootCanal's library cannot be used.
struct RootCanalError: Error, CustomStringConvertible {
    let description: String
}

/// RootCanal's controllers, from its shared library of version 1.10.0.
///
/// The library's callbacks have no context, but run only during a call into it, on the same thread. So their packets
/// belong to the controller of that call. The library aborts the process on a malformed packet; ``HCIGuard`` prevents
/// that.
final class RootCanal: Sendable {
    fileprivate typealias SendHCI = @convention(c) (Int32, UnsafePointer<UInt8>?, Int) -> Void
    fileprivate typealias SendLinkLayer = @convention(c) (UnsafePointer<UInt8>?, Int, Int32, Int32) -> Void
    private typealias New =
        @convention(c) (UnsafePointer<UInt8>, SendHCI, SendLinkLayer) -> UnsafeMutableRawPointer?
    private typealias ReceiveHCI = @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<UInt8>, Int) -> Void
    private typealias ReceiveLinkLayer =
        @convention(c) (UnsafeMutableRawPointer, UnsafePointer<UInt8>, Int, Int32, Int32) -> Void
    private typealias Plain = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let new: New
    private let receiveHCI: ReceiveHCI
    private let receiveLinkLayer: ReceiveLinkLayer
    private let tick: Plain
    private let delete: Plain

    /// Loads the library. It stays loaded until the process ends.
    ///
    /// - Throws: ``RootCanalError`` if it is missing, does not fit this machine, or is another version.
    init(library path: String) throws(RootCanalError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw RootCanalError(description: "loading RootCanal: \(String(cString: dlerror()))")
        }
        func symbol<Function>(_ name: String, _: Function.Type) throws(RootCanalError) -> Function {
            guard let address = dlsym(handle, name) else {
                throw RootCanalError(description: "\(path) has no \(name): is it RootCanal 1.10.0?")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        new = try symbol("ffi_controller_new", New.self)
        receiveHCI = try symbol("ffi_controller_receive_hci", ReceiveHCI.self)
        receiveLinkLayer = try symbol("ffi_controller_receive_ll", ReceiveLinkLayer.self)
        tick = try symbol("ffi_controller_tick", Plain.self)
        delete = try symbol("ffi_controller_delete", Plain.self)
    }

    /// A new controller, as after power-on.
    func controller(address: DeviceAddress) throws(RootCanalError) -> RootCanalController {
        var made: UInt?
        let outputs = Callbacks.during {
            made = new(Array(address.bytes.reversed()), Callbacks.sendHCI, Callbacks.sendLinkLayer)
                .map { UInt(bitPattern: $0) }
        }
        guard let made else { throw RootCanalError(description: "RootCanal could not make a controller") }
        return RootCanalController(library: self, instance: made, first: outputs)
    }

    fileprivate func receive(hci packet: [UInt8], instance: UInt) -> [ControllerOutput] {
        Callbacks.during {
            packet.withUnsafeBufferPointer {
                receiveHCI(pointer(instance), Int32($0[0]), $0.baseAddress! + 1, $0.count - 1)
            }
        }
    }

    fileprivate func receive(linkLayer: [UInt8], phy: Int32, signal: Int8, instance: UInt) -> [ControllerOutput] {
        Callbacks.during { receiveLinkLayer(pointer(instance), linkLayer, linkLayer.count, phy, Int32(signal)) }
    }

    fileprivate func tick(instance: UInt) -> [ControllerOutput] { Callbacks.during { tick(pointer(instance)) } }

    fileprivate func delete(instance: UInt) { _ = Callbacks.during { delete(pointer(instance)) } }

    private func pointer(_ instance: UInt) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: instance)! }
}

/// One of RootCanal's controllers.
final class RootCanalController: BluetoothController {
    private let library: RootCanal
    private let instance: UInt
    private var first: [ControllerOutput]

    fileprivate init(library: RootCanal, instance: UInt, first: [ControllerOutput]) {
        self.library = library
        self.instance = instance
        self.first = first
    }

    deinit { library.delete(instance: instance) }

    func receive(hci packet: [UInt8]) -> [ControllerOutput] {
        packet.count > 1 ? library.receive(hci: packet, instance: instance) : []
    }

    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] {
        library.receive(linkLayer: bytes, phy: phy, signal: signal, instance: instance)
    }

    func tick() -> [ControllerOutput] {
        defer { first = [] }
        return first + library.tick(instance: instance)
    }
}

/// Collects the packets that the library's callbacks deliver during a call.
private enum Callbacks {
    /// Allows one call into the library at a time, because callbacks do not identify their call.
    private static let calls = Mutex(())
    private static let outputs = Mutex<[ControllerOutput]>([])

    static let sendHCI: RootCanal.SendHCI = { type, bytes, count in
        let packet = [UInt8(truncatingIfNeeded: type)] + UnsafeBufferPointer(start: bytes, count: count)
        outputs.withLock { $0.append(.hci(packet)) }
    }

    static let sendLinkLayer: RootCanal.SendLinkLayer = { bytes, count, phy, _ in
        let packet = Array(UnsafeBufferPointer(start: bytes, count: count))
        outputs.withLock { $0.append(.linkLayer(bytes: packet, phy: phy)) }
    }

    /// Runs one call into the library, and returns the packets that it delivered.
    static func during(_ call: () -> Void) -> [ControllerOutput] {
        calls.withLock { _ in
            call()
            return outputs.withLock { outputs in
                defer { outputs = [] }
                return outputs
            }
        }
    }
}
