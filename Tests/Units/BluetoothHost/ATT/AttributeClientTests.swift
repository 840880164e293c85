import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Client half of an ATT bearer")
struct AttributeClientTests {
    private var client = AttributeClient()

    @Test("One request is outstanding; the next one follows its response")
    mutating func oneAtATime() {
        let (first, sent) = client.request(.readRequest(handle: 3), for: "reading 2A00", at: .zero)
        #expect(sent == [.send([0x0A, 3, 0])])
        let (second, waits) = client.request(.readRequest(handle: 5), for: "reading 2A01", at: .zero)
        #expect(waits.isEmpty && first != second)
        #expect(client.pendingRequests == 2)
        #expect(
            client.receive([0x0B, 7], at: .zero) == [
                .answered(first, .readResponse(value: [7])), .send([0x0A, 5, 0]),
            ])
        #expect(client.receive([0x0B], at: .zero) == [.answered(second, .readResponse(value: []))])
        #expect(client.pendingRequests == 0)
    }

    @Test("A request that is next comes before all that wait")
    mutating func next() {
        _ = client.request(.readRequest(handle: 1), for: "", at: .zero)
        _ = client.request(.readRequest(handle: 2), for: "", at: .zero)
        _ = client.request(.readRequest(handle: 3), for: "", isNext: true, at: .zero)
        #expect(client.receive([0x0B], at: .zero).last == .send([0x0A, 3, 0]))
        #expect(client.receive([0x0B], at: .zero).last == .send([0x0A, 2, 0]))
    }

    @Test("Commands do not wait for responses")
    mutating func commands() {
        _ = client.request(.readRequest(handle: 3), for: "", at: .zero)
        #expect(client.command(.writeCommand(handle: 5, value: [1])) == [.send([0x52, 5, 0, 1])])
        #expect(client.deadline == .seconds(30))
    }

    @Test("A command that does not fit, or that is none, is not sent")
    mutating func badCommands() {
        #expect(
            client.command(.writeCommand(handle: 5, value: [UInt8](repeating: 0, count: 21))) == [
                .note("Write Command, handle 0x0005 was not sent: it has 24 bytes, the MTU is 23")
            ])
        #expect(
            client.command(.readRequest(handle: 5)) == [
                .note("Read Request, handle 0x0005 was not sent: it is not a command")
            ])
        #expect(client.command(.writeCommand(handle: 5, value: [UInt8](repeating: 0, count: 20))).count == 1)
    }

    @Test("A refused request comes back with its error, its handle and itself")
    mutating func refused() {
        let request = ATTPDU.readRequest(handle: 0x12)
        let (token, _) = client.request(request, for: "reading 2A19", at: .zero)
        _ = client.request(.readRequest(handle: 0x14), for: "", at: .zero)
        #expect(
            client.receive(ATTSamples.bytes("01 0A 12 00 05"), at: .zero) == [
                .refused(token, .insufficientAuthentication, handle: 0x12, request: request), .send([0x0A, 0x14, 0]),
            ])
        #expect(ATTError.insufficientAuthentication.concernsProtection)
        #expect(!ATTError.attributeNotFound.concernsProtection)
    }

    @Test("An Error Response with a handle that was not asked is noted")
    mutating func refusedWithOtherHandle() {
        let request = ATTPDU.readRequest(handle: 0x12)
        let (token, _) = client.request(request, for: "reading 2A19", at: .zero)
        #expect(
            client.receive(ATTSamples.bytes("01 0A 00 00 01"), at: .zero) == [
                .refused(token, .invalidHandle, handle: 0, request: request),
                .note("Error Response to reading 2A19 (Read Request, handle 0x0012) with handle 0x0000"),
            ])
    }

    @Test("A request that does not fit in the MTU, or that is none, fails, and the next one is sent")
    mutating func badRequests() {
        let long = ATTPDU.writeRequest(handle: 5, value: [UInt8](repeating: 0, count: 21))
        let (token, outputs) = client.request(long, for: "writing 2A00", at: .zero)
        let text = "writing 2A00 (Write Request, handle 0x0005) has 24 bytes; the MTU is 23"
        #expect(outputs == [.failed(token, text)])
        let (other, refused) = client.request(.confirmation, for: "", at: .zero)
        #expect(refused == [.failed(other, "Handle Value Confirmation is not a request")])
        #expect(client.request(.readRequest(handle: 1), for: "", at: .zero).outputs == [.send([0x0A, 1, 0])])
    }
}

@Suite("The client's MTU exchange")
struct AttributeClientMTUTests {
    @Test("The MTU is the smaller of both", arguments: [(185, 185), (527, 527), (1000, 527), (23, 23)])
    func smaller(peer: UInt16, result: Int) {
        var client = AttributeClient()
        let (token, outputs) = client.exchangeMTU(at: .zero)
        #expect(outputs == [.send([0x02, 0x0F, 0x02])])
        let answer = client.receive(ATTPDU.exchangeMTUResponse(mtu: peer).bytes, at: .zero)
        #expect(answer.first == .answered(token, .exchangeMTUResponse(mtu: peer)))
        #expect(client.mtu == result)
        #expect(answer.contains(.mtuChanged(result)) == (result != 23))
    }

    @Test("An MTU below 23 counts as 23, and is noted", arguments: [0, 1, 22] as [UInt16])
    func tooSmall(peer: UInt16) {
        var client = AttributeClient()
        _ = client.exchangeMTU(at: .zero)
        let outputs = client.receive(ATTPDU.exchangeMTUResponse(mtu: peer).bytes, at: .zero)
        #expect(client.mtu == 23)
        #expect(outputs.last == .note("Exchange MTU Response with an MTU of \(peer); 23 is the smallest"))
    }

    @Test("The MTU is exchanged once per link, even after a refusal")
    func once() {
        var client = AttributeClient()
        let (token, _) = client.exchangeMTU(at: .zero)
        let refusal = client.receive(ATTSamples.bytes("01 02 00 00 06"), at: .zero)
        #expect(refusal == [.refused(token, .requestNotSupported, handle: 0, request: .exchangeMTURequest(mtu: 527))])
        let (second, outputs) = client.exchangeMTU(at: .zero)
        #expect(outputs == [.failed(second, "the MTU is exchanged once per link")])
        #expect(client.mtu == 23)
    }

    @Test("The phone's MTU and the default are configured")
    func configured() {
        var configuration = AttributeClient.Configuration()
        configuration.offeredMTU = 185
        configuration.defaultMTU = 48
        var client = AttributeClient(configuration)
        #expect(client.mtu == 48)
        #expect(client.exchangeMTU(at: .zero).outputs == [.send([0x02, 185, 0])])
        _ = client.receive(ATTPDU.exchangeMTUResponse(mtu: 30).bytes, at: .zero)
        #expect(client.mtu == 48)
    }
}

@Suite("The client's time limit and end")
struct AttributeClientEndTests {
    @Test("A request without an answer for 30 s ends the link, and all later requests fail")
    func timeOut() {
        var client = AttributeClient()
        let (token, _) = client.request(.readRequest(handle: 0x12), for: "reading 2A19", at: .seconds(5))
        let (waiting, _) = client.request(.readRequest(handle: 0x14), for: "reading 2A00", at: .seconds(6))
        #expect(client.deadline == .seconds(35))
        #expect(client.advance(to: .milliseconds(34_999)).isEmpty)
        let text = "reading 2A19 (Read Request, handle 0x0012) had no answer within 30 s"
        #expect(
            client.advance(to: .seconds(35)) == [
                .timedOut(token, text), .linkMustEnd(text),
                .failed(waiting, "reading 2A00 (Read Request, handle 0x0014) failed: \(text)"),
            ])
        #expect(client.deadline == nil)
        let (late, outputs) = client.request(.readRequest(handle: 1), for: "", at: .seconds(36))
        #expect(outputs == [.failed(late, text)])
        #expect(client.command(.writeCommand(handle: 1, value: [])).isEmpty)
        #expect(client.receive([0x0B], at: .seconds(36)).isEmpty)
        #expect(client.advance(to: .seconds(100)).isEmpty)
    }

    @Test("Each request has its own 30 s, from its sending on")
    func deadlines() {
        var client = AttributeClient()
        _ = client.request(.readRequest(handle: 1), for: "", at: .zero)
        _ = client.request(.readRequest(handle: 2), for: "", at: .zero)
        _ = client.receive([0x0B], at: .seconds(20))
        #expect(client.deadline == .seconds(50))
        _ = client.receive([0x0B], at: .seconds(40))
        #expect(client.deadline == nil && client.advance(to: .seconds(1000)).isEmpty)
    }

    @Test("A notification does not prolong the time of a request")
    func notificationMeanwhile() {
        var client = AttributeClient()
        _ = client.request(.readRequest(handle: 1), for: "", at: .zero)
        #expect(client.receive([0x1B, 3, 0, 9], at: .seconds(29)) == [.notified(handle: 3, value: [9])])
        #expect(client.deadline == .seconds(30))
    }

    @Test("The end of the link fails all requests, and input after it is ignored")
    func linkEnded() {
        var client = AttributeClient()
        let (first, _) = client.request(.readRequest(handle: 3), for: "reading A", at: .zero)
        let (second, _) = client.request(.readRequest(handle: 5), for: "reading B", at: .zero)
        #expect(
            client.linkEnded(because: "the link was lost") == [
                .failed(first, "reading A (Read Request, handle 0x0003) failed: the link was lost"),
                .failed(second, "reading B (Read Request, handle 0x0005) failed: the link was lost"),
            ])
        #expect(client.linkEnded(because: "again").isEmpty)
        for bytes in [[0x0B], [0x1B, 3, 0], [0x1D, 3, 0], [0x99], []] as [[UInt8]] {
            #expect(client.receive(bytes, at: .zero).isEmpty)
        }
        #expect(client.deadline == nil && client.confirm().isEmpty)
    }

    @Test("The time limit is configured")
    func configured() {
        var configuration = AttributeClient.Configuration()
        configuration.transactionLimit = .seconds(5)
        var client = AttributeClient(configuration)
        _ = client.request(.readRequest(handle: 1), for: "", at: .zero)
        #expect(client.deadline == .seconds(5))
    }
}
