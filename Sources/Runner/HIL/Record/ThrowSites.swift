import Foundation
import HILCSwiftRuntime
import HILPOSIX
import HILRecord
import HILTiming
import Synchronization

/// Where errors were thrown: an error that ends a scenario is at that line, and not at the last call of the lab before it.
///
/// Swift reports only that an error is thrown. The callers at that moment are kept for the latest errors, and made into
/// lines for the error that needs them.
package enum ThrowSites {
    private struct Site {
        /// The address of the error. It stays the same wherever the error is passed on, and a later error may get it
        /// again.
        var error: UInt
        var type: ObjectIdentifier
        var callers: [UInt]
    }

    private static let most = 256
    private static let deepest = 24
    /// How often an error may be thrown again on its way.
    private static let mostPasses = 16
    private static let sites = Mutex<(latest: [Site], next: Int)>(([], 0))
    /// Where the program's main function and the main run loop are called, below everything that a scenario does.
    private static let bottom = Mutex<Set<UInt>>([])

    /// Begins to watch. A worker does so once.
    package static func watch() {
        // The first call loads a library.
        let callers = callers()
        bottom.withLock { $0 = Set(callers) }
        _swift_setWillThrowHandler { error in
            guard let error else { return }
            let type = ObjectIdentifier(Swift.type(of: unsafeBitCast(error, to: (any Error).self)))
            ThrowSites.keep(Site(error: UInt(bitPattern: error), type: type, callers: ThrowSites.callers()))
        }
    }

    private static func callers() -> [UInt] {
        var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: deepest)
        let count = backtrace(&addresses, Int32(deepest))
        return addresses.prefix(Int(count)).map { UInt(bitPattern: $0) }
    }

    private static func keep(_ site: Site) {
        sites.withLock { sites in
            if sites.latest.count < most { return sites.latest.append(site) }
            sites.latest[sites.next] = site
            sites.next = (sites.next + 1) % most
        }
    }

    /// The callers when the error was thrown, and when it was thrown again; the latest first.
    private static func callers(of error: any Error) -> [UInt] {
        // An `any Error` is the address of the error; without the cast it would be opened.
        let (address, type) = (unsafeBitCast(error as any Error, to: UInt.self), ObjectIdentifier(type(of: error)))
        return sites.withLock { sites in
            let inOrder = sites.latest[sites.next...] + sites.latest[..<sites.next]
            return inOrder.reversed().filter { $0.error == address && $0.type == type }.prefix(mostPasses)
                .flatMap(\.callers)
        }
    }

    /// The line of a team's own source that threw an error, and last if several did; nil if none did, or if it is
    /// unknown.
    ///
    /// - Parameter package: The folder of the team's package.
    static func location(of error: any Error, in package: String) async -> SourceLocation? {
        let callers = callers(of: error)
        let base = base_of(unsafeBitCast(ownFunction, to: UnsafeRawPointer.self))
        // A return address is that of the next instruction, which may be on the next line.
        let bottom = bottom.withLock { $0 }
        let places = callers.filter { !bottom.contains($0) && base_of(UnsafeRawPointer(bitPattern: $0)) == base }
            .map { $0 - base - 1 }
        guard !places.isEmpty, let lines = try? await lines(at: places) else { return nil }
        return lines.first { isOwn($0.path, in: package) }
    }

    private static let ownFunction: @convention(c) () -> Void = {}

    /// Whether a source is the team's, and neither a dependency's nor the harness's.
    private static func isOwn(_ path: String, in package: String) -> Bool {
        guard path.hasPrefix(package + "/"), !path.hasPrefix("\(package)/.build/") else { return false }
        return !path.hasPrefix(HarnessSources.folder)
    }

    // MARK: The symbolizer

    /// How long the toolchain's symbolizer may take. A program of a hundred megabytes takes it a second.
    private static let limit = Duration.seconds(10)

    /// The line of each address in this program's file that has one.
    private static func lines(at places: [UInt]) async throws -> [SourceLocation] {
        let command = [symbolizer, "--obj=/proc/\(getpid())/exe", "--output-style=JSON", "--no-inlines"]
        let output = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            command + places.map { "0x" + String($0, radix: 16) }, streams: [.null, .descriptor(output.write), .null],
            atParentDeath: .kill)
        output.write.close()
        let told = EventLog<[UInt8]>()
        startThread(named: "symbolizer") { [read = output.read] in
            var text: [UInt8] = []
            while let more = try? read.read(), !more.isEmpty { text += more }
            told.append(text)
        }
        defer { child.signal(SIGKILL) }
        let text = try await told.first(within: limit, waitingFor: "the symbolizer").event
        return try JSONDecoder().decode([Symbolized].self, from: Data(text)).compactMap(\.location)
    }

    /// What the symbolizer says about an address.
    private struct Symbolized: Decodable {
        private struct Place: Decodable {
            var file: String
            var line: Int

            enum CodingKeys: String, CodingKey { case file = "FileName", line = "Line" }
        }
        private var places: [Place]?

        enum CodingKeys: String, CodingKey { case places = "Symbol" }

        var location: SourceLocation? {
            guard let place = places?.first, place.line > 0, place.file.hasPrefix("/") else { return nil }
            let names = place.file.split(separator: "/").suffix(2)
            return SourceLocation(file: names.joined(separator: "/"), path: place.file, line: place.line)
        }
    }

    /// The symbolizer beside the toolchain's compiler, or the one of this name.
    private static var symbolizer: String {
        let name = "llvm-symbolizer"
        let compilers = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swift" }
        for compiler in compilers where access(compiler, X_OK) == 0 {
            let folder = URL(fileURLWithPath: compiler).resolvingSymlinksInPath().deletingLastPathComponent().path
            if access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
        }
        return name
    }
}
