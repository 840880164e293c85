import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("What a client may read and write")
struct AttributeServerPermissionTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    @Test("The protection is that of the link, its bond and its key")
    mutating func protection() throws {
        let battery = ATTPDU.readRequest(handle: 0x0C)
        let secure = ATTPDU.readRequest(handle: 0x18)
        let write = ATTPDU.writeRequest(handle: 0x15, value: [1])
        #expect(bench.error(of: battery) == .insufficientAuthentication)
        #expect(bench.error(of: write) == .insufficientAuthentication)
        bench.server.isBonded = true
        #expect(bench.error(of: battery) == .insufficientEncryption)
        #expect(bench.error(of: secure) == .insufficientEncryption)
        #expect(bench.error(of: write) == .insufficientEncryption)
        bench.server.security = ATTSamples.encrypted
        #expect(bench.error(of: battery) == nil)
        #expect(bench.error(of: write) == .insufficientAuthentication)
        #expect(bench.error(of: secure) == .insufficientAuthentication)
        bench.server.security = ATTSamples.authenticated
        #expect(bench.error(of: secure) == .insufficientAuthentication)
        _ = try bench.question(of: write)
    }

    @Test("A key that is too short has its own error")
    mutating func keySize() throws {
        var configuration = AttributeServer.Configuration()
        configuration.minimumKeySize = 16
        bench = try ServerBench(configuration)
        bench.server.security = ATTSamples.encrypted
        bench.server.security.keySize = 15
        #expect(bench.error(of: .readRequest(handle: 0x0C)) == .encryptionKeySizeTooShort)
        #expect(bench.error(of: .readRequest(handle: 0x18)) == .insufficientAuthentication)
        bench = try ServerBench()
        bench.server.security = ATTSamples.secureConnections
        #expect(bench.error(of: .readRequest(handle: 0x18)) == nil)
        bench.server.security.keySize = 15
        #expect(bench.error(of: .readRequest(handle: 0x0C)) == nil)
        #expect(bench.error(of: .readRequest(handle: 0x18)) == .encryptionKeySizeTooShort)
    }

    @Test("The errors come in the order of the specification: handle, permission, protection, offset, length")
    mutating func order() throws {
        #expect(bench.error(of: .readRequest(handle: 0)) == .invalidHandle)
        #expect(bench.error(of: .readRequest(handle: 0x1B)) == .invalidHandle)
        #expect(bench.error(of: .writeRequest(handle: 0x1B, value: [])) == .invalidHandle)
        #expect(bench.error(of: .readRequest(handle: 0x15)) == .readNotPermitted)
        #expect(bench.error(of: .writeRequest(handle: 0x0C, value: [])) == .writeNotPermitted)
        #expect(bench.error(of: .readBlobRequest(handle: 0x18, offset: 99)) == .insufficientAuthentication)
        #expect(bench.error(of: .writeRequest(handle: 0x16, value: [])) == .invalidAttributeValueLength)
        let long = [UInt8](repeating: 0, count: 61)
        bench.exchangeMTU(527)
        #expect(bench.error(of: .writeRequest(handle: 0x15, value: long)) == .insufficientAuthentication)
        #expect(bench.error(of: .writeRequest(handle: 0x12, value: long)) == .invalidAttributeValueLength)
        #expect(bench.error(of: .writeRequest(handle: 0x12, value: Array(long.dropLast()))) == nil)
    }

    @Test("Declarations and descriptions cannot be written", arguments: [1, 2, 0x13] as [UInt16])
    mutating func declarations(handle: UInt16) {
        #expect(bench.error(of: .writeRequest(handle: handle, value: [1])) == .writeNotPermitted)
        #expect(bench.error(of: .prepareWriteRequest(.init(handle, [1]))) == .writeNotPermitted)
    }

    @Test("Requests and commands are for the properties that name them, unless the phone takes both")
    mutating func procedures() throws {
        #expect(bench.error(of: .writeRequest(handle: 0x1A, value: [1])) == .writeNotPermitted)
        #expect(
            bench.send(.writeCommand(handle: 0x12, value: [1])) == [
                .note("Write Command, handle 0x0012, was ignored: error 0x03 (write not permitted)")
            ])
        var configuration = AttributeServer.Configuration()
        configuration.acceptsAnyWriteProcedure = true
        bench = try ServerBench(configuration)
        #expect(bench.error(of: .writeRequest(handle: 0x1A, value: [1])) == nil)
        #expect(bench.send(.writeCommand(handle: 0x12, value: [1])) == [.written(handle: 0x12, value: [1])])
    }
}
