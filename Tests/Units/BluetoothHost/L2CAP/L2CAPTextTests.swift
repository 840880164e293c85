import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("L2CAP in words")
struct L2CAPTextTests {
    private static let channel = LocalChannel(cid: 0x40, serial: 1)

    @Test(
        "A request without an answer is named with its channel",
        arguments: [
            (.connection(channel), "the request to open channel 0x0040"),
            (.enhancedConnection([channel, channel]), "the request to open channel 0x0040, channel 0x0040"),
            (.configuration(channel), "the configuration of channel 0x0040"),
            (.disconnection(channel), "the request to close channel 0x0040"),
            (
                .parameters(
                    ConnectionParameters(shortestInterval: 12, longestInterval: 24, latency: 0, timeout: 100)),
                "the request for connection parameters (interval 15 to 30 ms, latency 0, supervision timeout 1000 ms)"
            ),
            (.information(.features), "the request for information (extended features)"),
        ] as [(L2CAPRequest, String)])
    func requests(request: L2CAPRequest, text: String) { #expect(request.description == text) }

    @Test(
        "An error says what is wrong",
        arguments: [
            (.invalidPort(0x100), "invalid PSM 0x0100"), (.noFreeChannel(most: 32), "no free channel of 32"),
            (.invalidMTU(22), "invalid MTU of 22 bytes"), (.notOpen(channel), "channel 0x0040 is not open"),
            (.tooLong(length: 9, most: 8), "an SDU of 9 bytes; 8 is the most"),
            (.queueFull(waiting: 2), "2 SDUs wait for credits"), (.wrongRole, "the central asks for no parameters"),
            (.unanswered, "an earlier request has no answer yet"),
            (.invalidParameters("the latency"), "invalid parameters: the latency"),
            (.wrongTransport, "wrong kind of link"),
        ] as [(L2CAPError, String)])
    func errors(error: L2CAPError, text: String) { #expect(error.description == text) }

    @Test("Two reasons of a refusal never read the same")
    func refusals() {
        let reasons: [L2CAPRefusal.Reason] = [
            .portNotSupported, .noResources, .insufficientAuthentication, .insufficientAuthorization, .keyTooShort,
            .insufficientEncryption, .securityBlock, .invalidSource, .sourceInUse, .unacceptableParameters,
            .invalidParameters, .unknownResult, .commandRejected, .configurationFailed, .noAnswer, .closedByPeer,
            .cancelled, .linkEnded, .violation,
        ]
        #expect(Set(reasons.map(\.text)).count == reasons.count)
    }
}
