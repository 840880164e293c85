import Foundation
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// `hil play` on a rig: the phone in the hands of a page.
    @Suite(.serialized)
    struct PlayTests {
        private let boards = RealRig.boards.contains("native") ? "native" : "qemu"

        @Test("Requests like those of the page set a die up, and Ctrl-C leaves nothing of it")
        func onboarding() async throws {
            let play = try await PlayedRig([], boards: boards)
            try await play.sees("buttons", "Add Die")
            #expect(await play.does(#"{"press":{"button":"Add Die"}}"#) == 204)
            let picker = try await play.sees("screen", #""kind":"picker""#, #""control":"pick""#, "Die 7")
            let entry = try #require(picker.firstMatch(of: /"id":"([0-9A-F-]+)"/)?.1)
            await play.does(#"{"act":{"action":{"pick":{"accessory":{"entry":{"id":"\#(entry)"}}}},"on":"picker"}}"#)
            try await play.sees("screen", #""kind":"passkey""#, #""control":"confirmPasskey""#)
            await play.does(#"{"act":{"action":{"confirmPasskey":{}},"on":"passkey"}}"#)
            try await play.sees("screen", #""kind":"setupComplete""#)
            let place = play.facts.count
            await play.does(#"{"act":{"action":{"done":{}},"on":"setupComplete"}}"#)
            try await play.sees("buttons", #""failure":"","isRunning":false,"title":"Add Die""#, since: place)
            // Both ends of the pairing were on the air, and the page has the packets.
            for text in ["SMP pairing public key", "step “Add Die”"] {
                _ = try await play.events.first(within: .seconds(10), waitingFor: text) {
                    $0.lowercased().contains(text.lowercased())
                }
            }

            let before = play.facts.count
            await play.does(#"{"openSettings":{"page":"switches"}}"#)
            try await play.sees("screen", #""switchBluetoothOff""#, since: before)
            await play.does(#"{"act":{"action":{"switchBluetoothOff":{}},"on":"switches"}}"#)
            try await play.sees("radios", #""bluetooth":false"#, since: before)
            #expect(await play.does(#"{"act":{"action":{"allow":{}},"on":"joinNetwork"}}"#) == 204)
            try await play.sees("refused", "the screen does not allow it now", since: before)

            await play.does("", at: "again")
            try await play.sees("phase", #""name":"starting""#, since: before)
            let again = play.facts.count
            try await play.sees("buttons", "Add Die", since: again)
            let mine = RunningProcess.all().filter { $0.command.contains("worker dieInYourHand") }
            #expect(!mine.isEmpty)
            #expect(await play.end() == .exited(0))
            #expect(mine.allSatisfy { !$0.isRunning })
        }

        @MainActor
        @Test(
            "The page in a browser: a die is set up by clicks, and the console stays empty",
            .enabled(if: HeadlessBrowser.isWanted, "\(HeadlessBrowser.whyNot)"))
        func page() async throws {
            let play = try await PlayedRig(["dieInYourHand"], boards: boards)
            let browser = try await HeadlessBrowser()
            do { try await setUp(play, browser) } catch {
                await browser.close()
                _ = await play.end()
                throw error
            }
            await browser.close()
            _ = await play.end()
        }

        @MainActor
        private func setUp(_ play: PlayedRig, _ browser: HeadlessBrowser) async throws {
            try await browser.setWindow(1440, 1000)
            try await browser.open(play.address, until: "document.querySelector('[data-button=\"Add Die\"]')")
            try await browser.click("[data-button=\"Add Die\"]")
            for (kind, control) in [
                ("picker", "pick"), ("passkey", "confirmPasskey"), ("setupComplete", "done"),
            ] {
                try await browser.wait(
                    for: "glass.dataset.kind === '\(kind)' && document.querySelector('[data-control=\(control)]')")
                try await browser.click("[data-control=\(control)]")
            }
            try await browser.wait(for: "document.querySelector('[data-button=\"Add Die\"] [aria-label=done]')")
            for (width, isDark) in [(360, true), (2560, false)] {
                try await browser.setWindow(width, 900, isDark: isDark)
                try await browser.wait(for: "document.documentElement.dataset.theme === '\(isDark ? "dark" : "light")'")
                #expect(try await browser.evaluate("document.documentElement.scrollWidth - innerWidth") as? Int == 0)
                #expect(try await browser.screenshot().count > 5000)
            }
            try await browser.wait(for: "document.querySelectorAll('#packets .event-row').length > 50")
            #expect(browser.complaints == [])
        }

        @Test("What cannot be played or recorded ends the command before anything starts")
        func refusals() async throws {
            for (arguments, piece) in [
                (["newDieIsOnboarded", "--record", "newDieIsOnboarded"], "already"),
                (["newDieIsOnboarded", "--record", "No Name"], "a Swift name"), (["nothingOfThisName"], "nothing"),
            ] {
                let output = await Shell.output([RunnerProcess.path(of: "hil"), "play"] + arguments, withErrors: true)
                #expect(output?.contains(piece) == true, "\(arguments): \(output ?? "")")
            }
        }
    }
}
