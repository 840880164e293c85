import HILBluetoothHost
import RadioModel

/// What the attributes of one server are, as far as a capture shows their discovery.
struct AttributeNames: Sendable {
    private struct Service {
        var range: HandleRange
        var uuid: BluetoothUUID
    }

    private struct Characteristic {
        var declaration: UInt16
        var value: UInt16
        var uuid: BluetoothUUID
        /// Whether it notifies or indicates.
        var updates: Bool
    }

    /// So that a hostile capture does not take all memory.
    private static let most = 4096

    private var services: [Service] = []
    private var characteristics: [Characteristic] = []
    private var descriptors: [UInt16: BluetoothUUID] = [:]

    mutating func add(service range: HandleRange, _ uuid: BluetoothUUID) {
        guard services.count < AttributeNames.most else { return }
        services.removeAll { $0.range.first == range.first }
        services.append(Service(range: range, uuid: uuid))
    }

    /// - Parameter value: That of a declaration: properties, handle and UUID.
    mutating func add(characteristic declaration: UInt16, _ value: [UInt8]) {
        guard characteristics.count < AttributeNames.most, value.count == 5 || value.count == 19,
            let uuid = BluetoothUUID(bytes: value.dropFirst(3).reversed())
        else { return }
        characteristics.removeAll { $0.declaration == declaration }
        characteristics.append(
            Characteristic(
                declaration: declaration, value: UInt16(value[1]) | UInt16(value[2]) << 8, uuid: uuid,
                updates: value[0] & 0x30 != 0))
    }

    mutating func add(descriptor handle: UInt16, _ uuid: BluetoothUUID) {
        guard descriptors.count < AttributeNames.most else { return }
        descriptors[handle] = uuid
    }

    /// Whether a handle is a Client Characteristic Configuration.
    ///
    /// BlueZ does not discover one if there is room for no other descriptor.
    func isConfiguration(_ handle: UInt16) -> Bool {
        if let type = descriptors[handle] { return type == AttributeType.clientConfiguration }
        return characteristics.contains { $0.updates && $0.value &+ 1 == handle }
    }

    /// The handle of the value of a declared characteristic.
    func value(of declaration: UInt16) -> UInt16? { characteristics.first { $0.declaration == declaration }?.value }

    func service(at handle: UInt16) -> String {
        let service = services.last { $0.range.contains(handle) }
        return service.map { $0.uuid.namedText } ?? "from \(HandleRange.text(handle))"
    }

    /// The characteristic that a handle belongs to, or the handle.
    func characteristic(at handle: UInt16) -> String {
        let owner = characteristics.filter { $0.declaration <= handle }.max { $0.declaration < $1.declaration }
        return owner.map { $0.uuid.namedText } ?? "handle \(HandleRange.text(handle))"
    }

    func attribute(_ handle: UInt16) -> String {
        if let type = descriptors[handle] { return "\(type.namedText) of \(characteristic(at: handle))" }
        if characteristics.contains(where: { $0.value == handle }) { return characteristic(at: handle) }
        return "handle \(HandleRange.text(handle))"
    }
}
