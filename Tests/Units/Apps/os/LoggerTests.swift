import OSLog
import Testing

@testable import os

/// What apps log, and what stays private.
@Suite("The log of apps")
struct LoggerTests {
    @Test("Values are written as their formats say, and private ones are not")
    func message() {
        let (name, error): (String, any Error) = ("Kim", CancellationError())
        let message: OSLogMessage =
            "\(name) \(name, privacy: .private) \(name, privacy: .sensitive) \(7) \(255, format: .hex) \(3, align: .right(columns: 3)) \(1.5, format: .fixed(precision: 2)) \(error.localizedDescription.isEmpty) \(error)"
        #expect(message.text == "Kim <private> <private> 7 ff   3 1.50 false CancellationError()")
        let hashed: OSLogMessage = "\(name, privacy: .private(mask: .hash))"
        #expect(hashed.text.hasPrefix("<mask.hash: '") && !hashed.text.contains("Kim"))
        let numbers: OSLogMessage = "\(UInt8(10), format: .hex(includePrefix: true, uppercase: true, minDigits: 4))"
        #expect(numbers.text == "0x000A")
    }

    @Test(
        "Formats of C take the arguments in order",
        arguments: [
            ("plain", "plain"), ("%d of %{public}@", "1 of b"), ("100%% %{private}@ %-5.2f", "100% <private> b"),
            ("%@ %@ %@", "1 b <missing>"), ("%{public, uuid_t}.16P", "1"), ("50%", "50%"), ("%{", "%{"),
        ])
    func format(_ format: String, _ text: String) {
        #expect(FormattedMessage(format, [1, "b"]).text.trimmingCharacters(in: .whitespaces) == text)
    }

    @Test("An error is an argument of a log's format, also through a function that takes C's arguments")
    func errorArgument() {
        func text(_ format: String, _ arguments: CVarArg...) -> String { FormattedMessage(format, arguments).text }
        let error = NSError(domain: "lamp", code: 7)
        #expect(text("no: %@", error) == "no: \(error)")
    }

    @Test("A logger without a phone writes to standard error")
    func withoutPhone() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Logger(subsystem: "com.example.lamp", category: "setup").error("broken \(1)")
            os_log("found %d", type: .info, 2)
            os_log(.debug, "third")
            OSLog.disabled.write("never", .fault)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("setup: error: broken 1\n") && errors.contains("default: info: found 2\n"))
        #expect(errors.contains("default: debug: third\n") && !errors.contains("never"))
    }

    @Test("A lock guards its value")
    func lock() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { lock.withLock { $0 += 1 } } }
        }
        #expect(lock.withLock { $0 } == 100)
        let plain = OSAllocatedUnfairLock()
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
    }

    @Test("The older lock is held by one thread at a time")
    func unfairLock() async {
        final class Counter: @unchecked Sendable {  // The lock guards the count.
            private let lock = os_unfair_lock_t.allocate(capacity: 1)
            private(set) var count = 0
            init() { lock.initialize(to: os_unfair_lock()) }
            deinit { lock.deallocate() }
            func add() {
                os_unfair_lock_lock(lock)
                count += 1
                os_unfair_lock_unlock(lock)
            }
            func isFreeWhileHeld() -> Bool {
                os_unfair_lock_lock(lock)
                defer { os_unfair_lock_unlock(lock) }
                return os_unfair_lock_trylock(lock)
            }
        }
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { for _ in 0..<100 { counter.add() } } }
        }
        #expect(counter.count == 20_000 && !counter.isFreeWhileHeld())
    }
}
