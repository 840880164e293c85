import Foundation
import HILPOSIX
import HILTiming

/// Chromium without a window, for tests that look at a page. It ends with ``close()``.
///
/// It is spoken to by the DevTools protocol over two pipes (`--remote-debugging-pipe`): JSON messages with a zero byte after
/// each. So it opens no port, and what it tells of its console is there when a call returns.
@MainActor package final class HeadlessBrowser {
    /// The browser did not do what it was asked.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The programs that will do, the smaller one first.
    private nonisolated static let programs = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

    /// The program; nil if none is installed.
    package nonisolated static var program: String? { programs.first { access($0, X_OK) == 0 } }

    /// Whether tests that need it run: where it is installed, and wherever every test must run, so that a missing browser
    /// makes them fail.
    package nonisolated static var isWanted: Bool {
        program != nil || ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"
    }

    /// What to say of a test that needs it where it is missing.
    package nonisolated static let whyNot =
        "Chromium is not installed: `Fixtures/Setup/install-packages Fixtures/Setup/packages-test`"

    private let child: ChildProcess
    private let commands: Descriptor
    private let profile: String
    private let messages: AsyncStream<[UInt8]>
    private var last = 0
    private var session = ""
    /// What the page wrote to its console as a warning or an error, and the errors that it threw.
    package private(set) var complaints: [String] = []

    /// Starts the browser with an empty page, and a profile that is gone with it.
    package init() async throws {
        guard let program = HeadlessBrowser.program else { throw Failure(description: HeadlessBrowser.whyNot) }
        profile = NSTemporaryDirectory() + "hil-browser-\(UUID().uuidString)"
        let (their, ours) = (try Descriptor.pipe(), try Descriptor.pipe())
        child = try ChildProcess.spawn(
            [
                program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--user-data-dir=\(profile)", "--remote-debugging-pipe", "about:blank",
            ],
            streams: [.null, .null, .null, .descriptor(their.read), .descriptor(ours.write)], ownGroup: true,
            atParentDeath: .kill)
        their.read.close()
        ours.write.close()
        commands = their.write
        messages = HeadlessBrowser.messages(from: ours.read)
        let target = try await call("Target.createTarget", ["url": "about:blank"])["targetId"] as? String
        let attached = try await call("Target.attachToTarget", ["targetId": target ?? "", "flatten": true])
        session = attached["sessionId"] as? String ?? ""
        for domain in ["Page", "Runtime", "Log"] { try await call("\(domain).enable") }
    }

    /// Ends the browser and removes its profile.
    package func close() async {
        commands.close()
        kill(-child.pid, SIGKILL)
        _ = await child.wait()
        try? FileManager.default.removeItem(atPath: profile)
    }

    /// The messages of the browser. A thread of their own reads them.
    private static func messages(from pipe: Descriptor) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        startThread(named: "browser") {
            var rest: [UInt8] = []
            while let bytes = try? pipe.read(upTo: 1 << 20), !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: 0) {
                    continuation.yield(Array(rest[..<end]))
                    rest.removeFirst(end + 1)
                }
            }
            continuation.finish()
        }
        return stream
    }

    /// Calls a method of the protocol, and returns its result.
    @discardableResult
    package func call(_ method: String, _ parameters: [String: Any] = [:]) async throws -> [String: Any] {
        last += 1
        let number = last
        var message: [String: Any] = ["id": number, "method": method, "params": parameters]
        if !session.isEmpty, !method.hasPrefix("Target.") { message["sessionId"] = session }
        try commands.write(Array(try JSONSerialization.data(withJSONObject: message)) + [0])
        for await bytes in messages {
            let answer = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
            note(answer)
            guard answer["id"] as? Int == number else { continue }
            if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
        throw Failure(description: "\(method): the browser has ended")
    }

    private func note(_ message: [String: Any]) {
        let parameters = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Runtime.exceptionThrown": complaints.append("\(parameters["exceptionDetails"] ?? "an error")")
        case "Runtime.consoleAPICalled":
            if ["error", "warning", "assert"].contains(parameters["type"] as? String) {
                complaints.append("\(parameters["args"] ?? "a message")")
            }
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            if ["error", "warning"].contains(entry["level"] as? String) {
                complaints.append("\(entry["text"] ?? ""): \(entry["url"] ?? "")")
            }
        default: break
        }
    }
}

/// What tests do with a page.
extension HeadlessBrowser {
    /// Gives the window a size in pixels, and the person a liking for light or dark pages.
    package func setWindow(_ width: Int, _ height: Int, isDark: Bool = false) async throws {
        try await call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await call("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Opens an address from the beginning, and returns when the expression is true there.
    package func open(_ address: String, until expression: String) async throws {
        try await call("Page.navigate", ["url": "about:blank"])
        try await call("Page.navigate", ["url": address])
        try await wait(for: expression)
    }

    /// Waits until an expression of JavaScript is true.
    package func wait(for expression: String, within limit: Duration = .seconds(20)) async throws {
        // The page has no event for what a test waits for: the browser asks it at each frame.
        let asked = """
            new Promise((resolve, reject) => {
                const end = performance.now() + \(Int(limit.seconds * 1000));
                const ask = () => {
                    let isTrue = false;
                    try { isTrue = (\(expression)); } catch {}
                    if (isTrue) resolve(true);
                    else if (performance.now() > end) resolve(false);
                    else setTimeout(ask, 10);
                };
                ask();
            })
            """
        guard try await evaluate(asked) as? Bool == true else {
            throw Failure(description: "not within \(limit.short): \(expression)")
        }
    }

    /// The value of an expression of JavaScript, as JSON has it. A promise is awaited.
    package func evaluate(_ expression: String) async throws -> Any? {
        let answer = try await call(
            "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
        if let details = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(details)") }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// The value of an expression as text.
    package func text(_ expression: String) async throws -> String {
        try await evaluate("String(\(expression))") as? String ?? ""
    }

    /// Presses a key that has one character, or a name such as `Enter`.
    package func press(_ key: String) async throws {
        for type in ["keyDown", "keyUp"] {
            var event: [String: Any] = ["type": type, "key": key]
            if key.count == 1, type == "keyDown" { event["text"] = key }
            try await call("Input.dispatchKeyEvent", event)
        }
    }

    /// Clicks the middle of the first element that a selector finds.
    package func click(_ selector: String) async throws {
        let place =
            try await evaluate(
                """
                (() => { const box = document.querySelector(\(HeadlessBrowser.quoted(selector))).getBoundingClientRect();
                return [box.left + box.width / 2, box.top + box.height / 2]; })()
                """) as? [Double] ?? []
        guard place.count == 2 else { throw Failure(description: "there is no \(selector)") }
        for type in ["mousePressed", "mouseReleased"] {
            try await call(
                "Input.dispatchMouseEvent",
                ["type": type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
        }
    }

    /// What the window shows, as PNG.
    package func screenshot() async throws -> Data {
        let answer = try await call("Page.captureScreenshot", ["format": "png"])
        return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
    }

    private static func quoted(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
