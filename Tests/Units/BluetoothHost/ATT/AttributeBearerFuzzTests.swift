import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Hostile peers of an ATT bearer")
struct AttributeBearerFuzzTests {
    @Test("Requests of any form get exactly one answer, or a question to the layer above")
    func oneAnswer() throws {
        var numbers = SeededNumbers(seed: 99)
        var bench = try ServerBench()
        for _ in 0..<20_000 {
            let opcodes = ATTOpcode.allCases.filter { $0.kind == .request }
            let bytes =
                [opcodes.randomElement(using: &numbers)?.rawValue ?? 0]
                + (0..<Int.random(in: 0...22, using: &numbers)).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &numbers) ? 30 : 255), using: &numbers)
                }
            let outputs = bench.server.receive(bytes, at: .zero, in: &bench.database)
            let pdus = outputs.compactMap(\.pdu)
            var isAsked = false
            for case .asks(let token, let request) in outputs {
                isAsked = true
                if case .read = request {
                    #expect(bench.answer(token, .refused(.unlikelyError)).count == 1)
                } else {
                    #expect(bench.answer(token, .written).first?.pdu != nil)
                }
            }
            #expect(pdus.count == (isAsked ? 0 : 1), "\(Hex.spaced(bytes, most: 30)): \(outputs)")
            guard let opcode = ATTOpcode(rawValue: bytes[0]), let pdu = pdus.first else { continue }
            #expect(pdu.opcode == opcode.response || pdu.opcode == .errorResponse)
        }
    }
}
