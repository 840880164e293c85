import Glibc
import RadioModel
import TestSupport

/// A layer of the phone's host with a hostile peer, a whimsical layer above, and a clock.
protocol FuzzedMachine {
    /// What a campaign must have met; otherwise it goes nowhere.
    static var mustMeet: Set<String> { get }

    init(seed: UInt64)

    /// Where the next step's chance comes from.
    var numbers: SeededNumbers { get set }
    /// What it has met so far, of ``mustMeet``.
    var met: Set<String> { get }
    /// Where packets and actions are written down before they take effect; nil for nowhere.
    var log: FuzzLog? { get set }

    /// Does one thing: mostly a packet of the peer.
    ///
    /// - Returns: What is wrong afterwards; nil if nothing is.
    mutating func step() -> String?
}

extension FuzzedMachine {
    /// A number from 0 up to this one, without it.
    mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

    mutating func byte(_ range: ClosedRange<UInt8> = 0...255) -> UInt8 { UInt8.random(in: range, using: &numbers) }

    /// Any bytes.
    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &numbers)).map { _ in byte() }
    }
}

/// A file that outlives a process that traps.
struct FuzzLog {
    private let file: Int32

    init(path: String) { file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }

    func add(_ line: @autoclosure () -> String) {
        let bytes = Array("\(line())\n".utf8)
        _ = write(file, bytes, bytes.count)
    }

    /// A packet of the peer, in hexadecimal.
    func packet(_ what: String, _ bytes: [UInt8]) { add("\(what): \(Hex.spaced(bytes, most: 300))") }
}
