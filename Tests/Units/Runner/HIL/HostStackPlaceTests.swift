import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import StubRig
import TestSupport
import Testing

@testable import HIL

@MainActor
@Suite("Where a host stack finds its controller", .timeLimit(.minutes(2)))
struct HostStackPlaceTests {
    private let air = EchoingAir()
    private let test: TestLab

    init() throws {
        test = try TestLab(RigDescription("stub", has: [.bluetooth, .wifi, .hostStacks]), hostStacks: air)
    }

    private func attach(_ line: String, speaking transport: HostStack.Transport) async throws -> HostStackHandle {
        try await test.lab.air.attach(
            .hostStack(
                command: ["bash", "-c", line], environment: ["PLACE": "{place}"], speaking: transport),
            named: "keyboard")
    }

    /// Sends every byte to the air, which sends them back, and prints whether they are the same.
    private static func exchange(_ open: String) -> String {
        """
        \(open)
        for i in {0..255}; do printf "\\\\x$(printf %x $i)"; done >/tmp/hil-bytes.$$
        cat /tmp/hil-bytes.$$ >&3; head -c 256 <&3 | cmp - /tmp/hil-bytes.$$ && echo same
        rm /tmp/hil-bytes.$$; exec sleep 100
        """
    }

    @Test("A terminal carries each byte as it is, whoever opens it, and no two have one path")
    func terminal() async throws {
        let line = HostStackPlaceTests.exchange(#"exec 3<>"$PLACE"; stat -c %a "$PLACE""#)
        let keyboard = try await attach(line, speaking: .pty(placeholder: "{place}"))
        try await keyboard.prints("600", within: .seconds(30))
        try await keyboard.prints("same", within: .seconds(30))
        let (one, other) = (try PseudoTerminal(), try PseudoTerminal())
        #expect(one.path != other.path)
        await keyboard.stop()
        #expect(test.failures.isEmpty)
    }

    @Test("A port of this machine carries each byte as it is")
    func port() async throws {
        let line = HostStackPlaceTests.exchange(#"exec 3<>"/dev/tcp/127.0.0.1/$PLACE""#)
        let keyboard = try await attach(line, speaking: .tcp(placeholder: "{place}"))
        try await keyboard.prints("same", within: .seconds(30))
        await keyboard.stop()
        #expect(test.failures.isEmpty)
    }

    @Test("A program that opens its terminal a second time finds its controller again")
    func terminalTwice() async throws {
        let line =
            #"for i in 1 2; do exec 3<>"$PLACE"; printf abcd >&3; head -c 4 <&3; echo; exec 3>&-; done; exec sleep 100"#
        let keyboard = try await attach(line, speaking: .pty(placeholder: "{place}"))
        let lines = keyboard.lines
        try await lines.wait(for: "the second answer") { lines.events.count { $0.text == "abcd" } == 2 }
        await keyboard.stop()
        #expect(test.failures.isEmpty)
    }

    @Test("Standard output is a terminal without colours, unless it carries H4")
    func output() async throws {
        for (transport, words) in [
            (HostStack.Transport.tcp(placeholder: "{place}"), "terminal dumb"),
            (.pty(placeholder: "{place}"), "terminal dumb"),
            (.unixSocket(placeholder: "{place}"), "terminal dumb"), (.standardStreams, "pipe"),
        ] {
            let line = #"if [ -t 1 ]; then echo "terminal $TERM" >&2; else echo pipe >&2; fi; exec sleep 100"#
            let keyboard = try await attach(line, speaking: transport)
            try await keyboard.prints(words, within: .seconds(30))
            await keyboard.stop()
        }
        #expect(test.failures.isEmpty)
    }

    @Test("A declaration without its placeholder says what stands for what")
    func placeholder() async throws {
        for (transport, text) in [
            (
                HostStack.Transport.tcp(),
                "starting firmware: neither its arguments nor its environment contain “{port}” — write “{port}” where "
                    + "the program expects the number of its port"
            ),
            (
                .pty(),
                "starting firmware: neither its arguments nor its environment contain “{pty}” — write “{pty}” where the "
                    + "program expects the path of its terminal"
            ),
            (
                .pty(placeholder: ""),
                "starting firmware: its placeholder is empty — name a text that stands for the path of its terminal"
            ),
        ] {
            let error = #expect(throws: HostStackError.self) {
                try HostStack.hostStack(command: ["firmware"], speaking: transport).placed(at: "7")
            }
            #expect(error?.description == text)
        }
    }
}
