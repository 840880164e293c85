import Foundation
import HILFoundation
import Synchronization
import Testing

/// What apps use of Apple's Foundation that Linux lacks.
@Suite("Foundation as apps know it")
struct FoundationTests {
    @Test("Units of time are as Dispatch has them, and the absolute time is Foundation's")
    func time() {
        #expect(NSEC_PER_SEC == NSEC_PER_MSEC * MSEC_PER_SEC && USEC_PER_SEC * NSEC_PER_USEC == NSEC_PER_SEC)
        let before = Date.timeIntervalSinceReferenceDate
        let now = CFAbsoluteTimeGetCurrent()
        #expect(before <= now && now <= Date.timeIntervalSinceReferenceDate)
    }

    @Test("A loop with a listener waits until a closure comes from another thread, and one without ends at once")
    func loopListener() {
        let (loop, came) = (RunLoop.current, Count())
        #expect(!loop.run(mode: .default, before: .distantFuture))
        withExtendedLifetime(LoopListener(on: loop, .default)) {
            let other = HandedOn(loop: loop)
            Thread.detachNewThread { other.loop.call(in: .default) { came.value += 1 } }
            while came.value == 0, loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) {}
        }
        #expect(came.value == 1 && !loop.run(mode: .default, before: .distantFuture))
    }

    @Test("The app's folders have their short names")
    func folders() {
        #expect(URL.documentsDirectory == FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0])
        #expect(URL.cachesDirectory.path.contains("ache"))
        #expect(URL.applicationSupportDirectory.path.hasPrefix("/"))
        #expect(URL.libraryDirectory.lastPathComponent == "Library")
    }

    @Test("A pool runs its body, and hands on its value and its error")
    func pool() throws {
        #expect(autoreleasepool { 5 } == 5)
        #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
    }

    @Test("An object's lock lets one thread in, as often as it likes")
    func objectLock() {
        let count = Count()
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            objc_sync_enter(count)
            objc_sync_enter(count)
            count.value += 1
            objc_sync_exit(count)
            objc_sync_exit(count)
        }
        #expect(count.value == 200)
        #expect(objc_sync_exit(count) == -1)
    }

    /// A loop that another thread calls.
    private struct HandedOn: @unchecked Sendable {
        let loop: RunLoop
    }

    private final class Count: @unchecked Sendable {  // The lock under test guards it.
        var value = 0
    }

    @Test("An empty timer is no timer that could fire")
    func emptyTimer() { #expect(!Timer().isValid) }

    @Test("A text that no table has is its key with the values in it")
    func localized() {
        let (name, count) = ("Die 7", 3)
        #expect(String(localized: "roll.title", comment: "the title") == "roll.title")
        #expect(String(localized: "\(count) of \(name) at 100%") == "3 of Die 7 at 100%")
        #expect(String(localized: "\(0.5, specifier: "%.1f") m", table: "Units") == "0.5 m")
        #expect(String(localized: "roll.count", defaultValue: "\(count) dice") == "3 dice")
        #expect(String(localized: .init("plain %@")) == "plain %@")
    }

    @Test("A translation has the values where its language wants them")
    func translated() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-text-\(UUID().uuidString)")
        let table = folder.appendingPathComponent("en.lproj/Localizable.strings")
        try FileManager.default.createDirectory(
            at: table.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(#""%lld of %@" = "%2$@: %1$lld (100%%)";"#.utf8).write(to: table)
        let bundle = try #require(Bundle(path: folder.path))
        #expect(String(localized: "\(3) of \("Die 7")", bundle: bundle) == "Die 7: 3 (100%)")
    }

    private final class Owner {}
    private nonisolated(unsafe) static let key = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 2, alignment: 1))

    @Test("A value is kept with its object, under its key, until it is removed or its object is gone")
    func associations() {
        let (owner, key, other) = (Owner(), Self.key, Self.key + 1)
        var value: Owner? = Owner()
        weak let seen = value
        objc_setAssociatedObject(owner, key, value, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        value = nil
        #expect(objc_getAssociatedObject(owner, key) as? Owner === seen && seen != nil)
        #expect(objc_getAssociatedObject(owner, other) == nil && objc_getAssociatedObject(Owner(), key) == nil)
        objc_setAssociatedObject(owner, key, nil, .OBJC_ASSOCIATION_RETAIN)
        #expect(seen == nil && objc_getAssociatedObject(owner, key) == nil)
        weak var late: Owner?
        do {
            let (short, kept) = (Owner(), Owner())
            late = kept
            objc_setAssociatedObject(short, key, kept, .OBJC_ASSOCIATION_RETAIN)
        }
        objc_setAssociatedObject(owner, key, 5, .OBJC_ASSOCIATION_COPY)
        #expect(late == nil && objc_getAssociatedObject(owner, key) as? Int == 5)
        var assigned: Owner? = Owner()
        objc_setAssociatedObject(owner, other, assigned, .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(owner, other) as? Owner === assigned)
        assigned = nil
        #expect(objc_getAssociatedObject(owner, other) == nil)
    }

    @Test("Defaults have values by key")
    func keys() {
        let defaults = UserDefaults(suiteName: "hil-\(UUID().uuidString)") ?? .standard
        defaults.setValue("red", forKey: "colour")
        #expect(defaults.value(forKey: "colour") as? String == "red")
        defaults.setValue(nil, forKey: "colour")
        #expect(defaults.value(forKey: "colour") == nil)
    }
}
