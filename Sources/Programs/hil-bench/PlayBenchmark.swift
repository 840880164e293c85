import Foundation
import HILPOSIX
import HILTiming
import TestSupport

/// Measures how long a tap takes in `hil play`: from the click in a browser until the new screen is drawn there.
struct PlayBenchmark {
    /// The program `hil`.
    let program: String

    /// What made a measurement impossible.
    private struct Impossible: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter times: How often Settings is opened and closed, a quarter of it.
    func measurements(times: Int) async throws -> [Measurement] {
        guard HeadlessBrowser.program != nil else {
            print("without Chromium, the time of a tap is left out: \(HeadlessBrowser.whyNot)")
            return []
        }
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            [program, "play", "dieInYourHand", "--boards", "native", "--no-build"],
            streams: [.null, .descriptor(pipe.write), .inherit], atParentDeath: .terminate)
        pipe.write.close()
        let address = try address(from: pipe.read)
        // It prints nothing more, so the pipe does not fill.
        let taps = try await taps(at: address, times: times)
        child.signal(SIGINT)
        let status = await child.wait()
        guard status.isSuccess else { throw Impossible(description: "hil play \(status)") }
        return [
            Measurement(
                "a tap in `hil play`, from the click to the next screen in Chromium, no radio needed", .atMost(150),
                "ms", taps)
        ]
    }

    private func address(from pipe: Descriptor) throws -> String {
        var text = ""
        while let bytes = try? pipe.read(), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            if let line = text.split(separator: "\n").first, text.contains("\n") { return String(line) }
        }
        throw Impossible(description: "hil play ended before it served its page")
    }

    /// The milliseconds of each tap.
    @MainActor
    private func taps(at address: String, times: Int) async throws -> [Double] {
        let browser = try await HeadlessBrowser()
        do {
            try await browser.setWindow(1440, 900)
            try await browser.open(address, until: "document.querySelector('[data-button=\"Add Die\"]')")
            var samples: [Double] = []
            for _ in 0..<(4 * times) {
                for (target, kind) in [("[data-page=settings]", "settings"), ("[data-control=done]", "app")] {
                    try await browser.wait(for: "document.querySelector('\(target)')")
                    samples.append(try await tap(target, until: kind, in: browser))
                }
            }
            guard browser.complaints.isEmpty else { throw Impossible(description: "\(browser.complaints)") }
            await browser.close()
            return samples
        } catch {
            await browser.close()
            throw error
        }
    }

    /// From the click until the frame after the new screen was put into the page.
    @MainActor
    private func tap(_ target: String, until kind: String, in browser: HeadlessBrowser) async throws -> Double {
        let asked = """
            new Promise((done) => {
                const began = performance.now();
                const look = () => {
                    if (document.getElementById("glass").dataset.kind !== "\(kind)") return;
                    document.removeEventListener("screen", look);
                    requestAnimationFrame(() => done(performance.now() - began));
                };
                document.addEventListener("screen", look);
                document.querySelector("\(target)").click();
            })
            """
        return try await browser.evaluate(asked) as? Double ?? .nan
    }
}
