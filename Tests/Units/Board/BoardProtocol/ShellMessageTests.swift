import HILPOSIX
import Testing

@testable import BoardProtocol

struct ShellMessageTests {
    private static let messages: [ShellMessage] = [
        .open(ShellRequest(token: .max)),
        .open(
            ShellRequest(
                token: 7, command: ["ls", "ü"],
                terminal: ShellRequest.Terminal(kind: "xterm", size: ShellRequest.Size(rows: 24, columns: 80)))),
        .input([0, 0x1D, 0xFF]), .input([]), .resize(ShellRequest.Size(rows: 300, columns: 1)),
        .opened(token: 0x0102_0304_0506_0708), .output([1]), .errors([2]), .ended(code: 137), .ended(code: -1),
        .failed("no ü"),
    ]

    @Test("Every message is decoded as it was encoded", arguments: messages)
    func roundTrip(_ message: ShellMessage) { #expect(ShellMessage(message.frame) == message) }

    @Test("A frame that is not a message is refused", arguments: [0, 1, 3, 4, 7, 9])
    func nonsense(kind: UInt8) { #expect(ShellMessage(Frame(kind: kind, payload: [1])) == nil) }
}
