import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Servers that break the protocol")
struct AttributeClientViolationTests {
    private var client = AttributeClient()

    private mutating func receive(_ hex: String) -> [AttributeClient.Output] {
        client.receive(ATTSamples.bytes(hex), at: .zero)
    }

    @Test("A response without a request is a violation")
    mutating func unasked() {
        #expect(receive("0B 01 02") == [.violation("Read Response without a request: 0B 01 02")])
        #expect(receive("01 0A 12 00 05").first?.isViolation == true)
        #expect(receive("13").first?.isViolation == true)
    }

    @Test("A response to another request is a violation, and the request goes on waiting")
    mutating func otherOpcode() {
        let (token, _) = client.request(.readRequest(handle: 0x12), for: "reading 2A19", at: .zero)
        #expect(
            receive("13") == [
                .violation("Write Response as the answer to reading 2A19 (Read Request, handle 0x0012): 13")
            ])
        #expect(
            receive("01 08 12 00 0A") == [
                .violation(
                    "Error Response to Read By Type Request as the answer to reading 2A19 (Read Request, handle "
                        + "0x0012): 01 08 12 00 0A")
            ])
        #expect(receive("01 99 12 00 0A").first?.isViolation == true)
        #expect(client.deadline == .seconds(30))
        #expect(receive("0B 64") == [.answered(token, .readResponse(value: [0x64]))])
    }

    @Test("An answer of the wrong form names the PDU, the asked handle and the bytes; its request fails")
    mutating func wrongForm() {
        let (token, _) = client.request(.exchangeMTURequest(mtu: 185), for: "exchanging the MTU", at: .zero)
        let (next, _) = client.request(.findInformationRequest(HandleRange(5, 9)), for: "descriptors", at: .zero)
        let text =
            "Exchange MTU Response of the wrong form to exchanging the MTU (Exchange MTU Request): Exchange MTU "
            + "Response of 2 bytes; at least 3 are needed: 03 17"
        #expect(
            receive("03 17") == [.violation(text), .failed(token, text), .send(ATTSamples.bytes("04 05 00 09 00"))])
        let second =
            "Find Information Response of the wrong form to descriptors (Find Information Request, handles 0x0005 to "
            + "0x0009): handle 0x000A is outside of the range: 05 01 0A 00 02 29"
        #expect(receive("05 01 0A 00 02 29") == [.violation(second), .failed(next, second)])
    }

    @Test("An Error Response of the wrong form fails its request")
    mutating func wrongErrorResponse() {
        let (token, _) = client.request(.readRequest(handle: 3), for: "reading", at: .zero)
        let outputs = receive("01 0A 03 00")
        #expect(outputs.count == 2 && outputs[0].isViolation)
        guard case .failed(token, _) = outputs[1] else {
            Issue.record("the request did not fail")
            return
        }
    }

    /// Requests with answers that do not fit.
    private static let wrong: [(ATTPDU, String, String)] = [
        (.findInformationRequest(HandleRange(5, 9)), "05 01 04 00 02 29", "handle 0x0004 is outside of the range"),
        (
            .findInformationRequest(HandleRange(5, 9)), "05 01 06 00 02 29 06 00 03 29",
            "handle 0x0006 follows handle 0x0006"
        ),
        (.findInformationRequest(HandleRange(5, 9)), "05 01", "at least 4 are needed"),
        (.findInformationRequest(HandleRange(5, 9)), "05 03 05 00 02 29", "unknown format 0x03"),
        (.readByTypeRequest(HandleRange(5, 9), type: .init(short: 0x2803)), "09 03 0A 00 01", "outside of the range"),
        (
            .readByTypeRequest(HandleRange(5, 9), type: .init(short: 0x2803)), "09 03 07 00 01 06 00 01",
            "handle 0x0006 follows handle 0x0007"
        ),
        (.readByTypeRequest(HandleRange(5, 9), type: .init(short: 0x2803)), "09 01 05", "entries of 1 bytes"),
        (.readByTypeRequest(HandleRange(5, 9), type: .init(short: 0x2803)), "09 03", "are needed"),
        (
            .findByTypeValueRequest(HandleRange(5, 9), type: 0x2800, value: []), "07 08 00 06 00",
            "the group 0x0008 to 0x0006 ends before its begin"
        ),
        (
            .findByTypeValueRequest(HandleRange(5, 9), type: 0x2800, value: []), "07 05 00 07 00 07 00 09 00",
            "the groups 0x0005 to 0x0007 and 0x0007 to 0x0009 overlap"
        ),
        (
            .readByGroupTypeRequest(HandleRange(5, 9), type: AttributeType.primaryService),
            "11 06 03 00 06 00 0F 18", "handle 0x0003 is outside of the range"
        ),
        (
            .readByGroupTypeRequest(HandleRange(5, 9), type: AttributeType.primaryService),
            "11 06 05 00 05 00 0F 18 05 00 06 00 10 18", "handle 0x0005 follows handle 0x0005"
        ),
        (.prepareWriteRequest(.init(3, [1])), "17 04 00 00 00 01", "it names handle 0x0004"),
        (.readMultipleVariableRequest(handles: [3, 5]), "21 00 00 00 00 00 00", "it has 3 values; 2 were asked for"),
        (.writeRequest(handle: 3, value: []), "13 00", "1 too many"),
        (.readRequest(handle: 3), "0B" + String(repeating: " 00", count: 23), "24 bytes; the MTU is 23"),
    ]

    @Test("An answer that does not fit its request is a violation, with the reason", arguments: wrong)
    mutating func mistakes(request: ATTPDU, answer: String, reason: String) {
        let (token, _) = client.request(request, for: "asking", at: .zero)
        let outputs = receive(answer)
        guard case .violation(let text)? = outputs.first else {
            Issue.record("no violation: \(outputs)")
            return
        }
        #expect(text.contains(reason) && text.contains("\(request)"))
        #expect(outputs.last == .failed(token, text))
        #expect(client.pendingRequests == 0)
    }

    @Test("The last group may end after the range")
    mutating func lateGroupEnd() {
        let (token, _) = client.request(
            .readByGroupTypeRequest(HandleRange(5, 9), type: AttributeType.primaryService), for: "", at: .zero)
        let groups = [AttributeGroup(HandleRange(5, 0xFFFF), [0x0F, 0x18])]
        #expect(receive("11 06 05 00 FF FF 0F 18") == [.answered(token, .readByGroupTypeResponse(groups))])
    }

    @Test("Prepared bytes that come back changed are for the layer above")
    mutating func changedEcho() {
        let (token, _) = client.request(.prepareWriteRequest(.init(3, [1])), for: "", at: .zero)
        #expect(
            receive("17 03 00 00 00 02") == [.answered(token, .prepareWriteResponse(.init(3, [2])))])
    }
}

@Suite("Notifications and indications at the client")
struct ClientIndicationTests {
    private var client = AttributeClient()

    private mutating func receive(_ hex: String) -> [AttributeClient.Output] {
        client.receive(ATTSamples.bytes(hex), at: .zero)
    }

    @Test("Notifications arrive one by one and in their order")
    mutating func notifications() {
        #expect(receive("1B 03 00 07 08") == [.notified(handle: 3, value: [7, 8])])
        #expect(
            receive("23 03 00 01 00 07 05 00 00 00") == [
                .notified(handle: 3, value: [7]), .notified(handle: 5, value: []),
            ])
    }

    @Test("A notification before the Write Response of its subscription arrives")
    mutating func earlyNotification() {
        let (token, _) = client.request(.writeRequest(handle: 4, value: [1, 0]), for: "subscribing", at: .zero)
        #expect(receive("1B 03 00 07") == [.notified(handle: 3, value: [7])])
        #expect(receive("13") == [.answered(token, .writeResponse)])
    }

    @Test("An indication is confirmed at once")
    mutating func atOnce() {
        #expect(receive("1D 03 00 07") == [.indicated(handle: 3, value: [7]), .send([0x1E])])
        #expect(receive("1D 03 00 08") == [.indicated(handle: 3, value: [8]), .send([0x1E])])
        #expect(client.confirm().isEmpty)
    }

    @Test("A withheld indication waits for the caller; a second one before that is a violation")
    mutating func withheld() {
        client.withheldHandles = [3]
        #expect(receive("1D 03 00 07") == [.indicated(handle: 3, value: [7])])
        #expect(client.unconfirmed == 3)
        #expect(
            receive("1D 05 00 08") == [
                .violation(
                    "Handle Value Indication, handle 0x0005, before the confirmation of the last one, handle 0x0003")
            ])
        #expect(client.confirm() == [.send([0x1E])])
        #expect(receive("1D 05 00 08") == [.indicated(handle: 5, value: [8]), .send([0x1E])])
    }

    @Test("The caller can confirm all indications itself")
    func byCaller() {
        var configuration = AttributeClient.Configuration()
        configuration.confirmsAtOnce = false
        var client = AttributeClient(configuration)
        #expect(client.receive([0x1D, 3, 0], at: .zero) == [.indicated(handle: 3, value: [])])
        #expect(client.confirm() == [.send([0x1E])])
    }

    @Test(
        "Notifications and indications of the wrong form are violations",
        arguments: [
            "1B", "1B 03", "1B 00 00 01", "1D", "1D 03", "1D 00 00 01", "23", "23 03 00", "23 03 00 05 00 01",
            "23 00 00 00 00", "1B" + String(repeating: " 01", count: 23), "1D" + String(repeating: " 01", count: 23),
        ])
    mutating func wrongForm(hex: String) {
        let outputs = receive(hex)
        #expect(outputs.count == 1 && outputs.first?.isViolation == true)
        #expect(client.unconfirmed == nil)
    }

    @Test(
        "PDUs for a server, unknown ones and empty ones are not the client's", arguments: ["0A 01 00", "1E", "99", ""])
    mutating func notForTheClient(hex: String) { #expect(receive(hex).isEmpty) }
}
