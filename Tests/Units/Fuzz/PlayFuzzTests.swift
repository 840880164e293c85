import Foundation
import HIL
import Testing

/// What a browser sends to `hil play`: any bytes are a command or none, and a command that is let through is a small one.
struct PlayFuzzTests {
    @Test("Any body is refused or is a command within its limits, which its process reads as the same command")
    func commands() async {
        let corpus = [
            #"{"act":{"action":{"pick":{"accessory":{"entry":{"id":"35380258-9EC8-4D20-B75D-7272E974A7C9"}}}},"on":"picker"}}"#,
            #"{"act":{"action":{"enterPasskey":{"passkey":123456}},"on":"passkeyEntry"}}"#,
            #"{"act":{"action":{"allowForwarding":{"choice":{"only":{"apps":["a","b"]}}}},"on":"forwarding"}}"#,
            #"{"move":{"metres":2.5}}"#, #"{"openSettings":{"page":"switches"}}"#, #"{"press":{"button":"Add"}}"#,
            #"{"post":{"app":"com.example.chat","title":"Kim","body":"Dinner at 8?"}}"#,
        ].map { Array($0.utf8) }
        await Fuzzer(corpus: corpus).run("commands of hil play") { bytes, _ in
            guard let command = try? JSONDecoder().decode(PlayCommand.self, from: Data(bytes)), command.mistake == nil
            else { return }
            if case .move(let metres?) = command, !(0.1...PlayCommand.farthest).contains(metres) {
                throw Fuzzer.Finding("the boards are to be \(metres) m apart")
            }
            // A line for the process must be one.
            let line = try JSONEncoder().encode(command)
            if line.contains(UInt8(ascii: "\n")) { throw Fuzzer.Finding("a command has several lines") }
            guard try JSONDecoder().decode(PlayCommand.self, from: line) == command else {
                throw Fuzzer.Finding("\(command) is another one when it is read back")
            }
        }
    }
}
