import BoardProtocol
import Foundation
import HILPOSIX
import Testing

@testable import HILBench

@Suite("Why a board cannot be used")
struct SSHTroubleTests {
    private func explain(_ text: String) -> String {
        SSHTrouble.explain(text, on: .ssh("pi"), while: "connecting", otherwise: "exited with 255").description
    }

    @Test(
        "What ssh, sudo and shells say becomes a reason and what to do",
        arguments: [
            ("ssh: Could not resolve hostname pi: Name or service not known\r\n", "its name is unknown"),
            ("kim@pi: Permission denied (publickey,password).\r\n", "it refuses the login"),
            (
                "@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n",
                "its host key has changed"
            ),
            (
                "No ED25519 host key is known for pi\nHost key verification failed.\r\n",
                "its host key is unknown here"
            ),
            ("ssh: connect to host pi port 22: Connection refused\r\n", "it runs no SSH server"),
            ("ssh: connect to host pi port 22: Connection timed out\r\n", "it cannot be reached"),
            ("sudo: a password is required\n", "sudo asks for a password there"),
            ("sudo: /opt/hil/hil-board: command not found\n", "it was not prepared"),
            (
                "sudo: unable to execute /opt/hil/hil-board: Exec format error\n",
                "its hil-board is for another processor"
            ),
            ("Timeout, server pi not responding.\r\n", "it does not answer any more"),
            ("Connection to 10.0.0.7 closed by remote host.\r\n", "the connection was cut"),
        ])
    func known(_ text: String, _ reason: String) {
        let failure = SSHTrouble.explain(text, on: .ssh("pi"), while: "connecting", otherwise: "")
        #expect(failure.reason == reason)
        #expect(failure.remedy?.isEmpty == false)
        #expect(failure.subject == "pi")
    }

    @Test("Other words are passed on, and silence gives the exit status")
    func unknown() {
        #expect(
            explain("first\nkex_exchange_identification: banner line\n")
                == "connecting on pi: kex_exchange_identification: banner line")
        let silent = explain("")
        #expect(silent.hasPrefix("connecting on pi: exited with 255") && silent.hasSuffix("that it is not overloaded"))
        #expect(explain("sudo: unable to resolve host pi: Name or service not known\n") == silent)
    }

    @Test("A name is never taken for an option, and a word for the board's shell is quoted")
    func words() {
        let command = LoginCommand.keep(on: .ssh("pi-host"))
        #expect(command.suffix(3).first == "--")
        #expect(command.contains("StrictHostKeyChecking=yes"))
        #expect(command.contains("BatchMode=yes"))
        for option in ["ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes"] {
            #expect(command.contains(option))
        }
        #expect(quoted("it's; rm -rf /") == #"'it'\''s; rm -rf /'"#)
    }

    @Test("A line of the journal is put on our clock; other words become a line")
    func journal() throws {
        var clock = ClockEstimate()
        clock.add(sent: 1_000, there: 501_000, received: 1_000)
        let line = try JSONEncoder().encode(JournalLine(t: 600_000, source: "hostapd", line: "x"))
        let moved = try JSONDecoder().decode(
            JournalLine.self, from: Data(EvidenceFiles.moved(Array(line), by: clock)))
        #expect(moved == JournalLine(t: 100_000, source: "hostapd", line: "x"))
        let words = try JSONDecoder().decode(
            JournalLine.self, from: Data(EvidenceFiles.moved(Array("Segmentation fault".utf8), by: clock)))
        #expect(words.source == "board")
        #expect(words.line == "Segmentation fault")
    }
}
