import Glibc
import HILTiming
import Synchronization
import Testing

@testable import HILPOSIX

struct TickRecordTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("A ticker that wakes in time has not stood still; one that wakes late has, for the time beyond its period")
    func standstill() {
        var record = TickRecord(start: 5 * Self.second)
        for _ in 0..<10 { record.tick(at: record.last + TickRecord.period + 30_000_000) }
        #expect(record.stood == 0, "a busy machine lets everybody wait for 30 ms")
        let last = record.last
        #expect(record.stood(at: last + 12 * Self.second) == 12 * Self.second - TickRecord.period, "while it lasts")
        record.tick(at: last + 12 * Self.second)
        #expect(record.stood == 12 * Self.second - TickRecord.period, "and afterwards")
        record.tick(at: last)
        #expect(record.last == last + 12 * Self.second, "time never goes back")
    }

    @Test("Bytes of a file give the same record, and damaged ones none")
    func bytes() {
        var record = TickRecord(start: 77)
        record.tick(at: 3 * Self.second)
        #expect(TickRecord(record.bytes) == record && record.bytes.count == TickRecord.size)
        for place in record.bytes.indices where !(16..<24).contains(place) {
            var damaged = record.bytes
            damaged[place] ^= 0x40
            #expect(TickRecord(damaged) == nil, "byte \(place)")
        }
        #expect(TickRecord([]) == nil && TickRecord(record.bytes + [0]) == nil)
        #expect(TickRecord([UInt8](repeating: 0xFF, count: TickRecord.size)) == nil)
    }

    @Test("A ticker writes the records of all its subjects, and not of one that stands still")
    func running() async throws {
        let (own, file) = (try Descriptor.memory(named: "own"), try Descriptor.memory(named: "test"))
        let ticks = EventLog<Void>()
        let isRunning = Mutex(true)
        let ticker = Ticker(writing: own)
        ticker.watch(writing: file) {
            ticks.append(())
            return isRunning.withLock { $0 }
        }
        // Before the second question the first record is written.
        _ = try await ticks.first(from: 1, within: .seconds(300), waitingFor: "two ticks")
        isRunning.withLock { $0 = false }
        let last = try #require(TickRecord(from: file)).last
        _ = try await ticks.first(from: ticks.count + 10, within: .seconds(300), waitingFor: "ten ticks more")
        #expect(try #require(TickRecord(from: file)).stood(at: bootTimeNanoseconds()) > 0)
        #expect(try #require(TickRecord(from: file)).last <= last + 2 * TickRecord.period)
        #expect(try #require(TickRecord(from: own)).last > last + 2 * TickRecord.period)
        ticker.stop()
    }

    @Test("A process that a signal stopped stands still")
    func stopped() async throws {
        let child = try ChildProcess.spawn(["sleep", "100"])
        #expect(isStandingStill(child.pid) == false)
        child.signal(19)
        try await withDeadline(.seconds(300), waitingFor: "the process to be stopped") {
            await withCheckedContinuation { stopped in
                startThread(named: "stop") {
                    var how = siginfo_t()
                    _ = waitid(P_PID, id_t(child.pid), &how, WSTOPPED | WNOWAIT)
                    stopped.resume()
                }
            }
        }
        #expect(isStandingStill(child.pid) == true)
        child.signal(9)
        _ = await child.wait()
        #expect(isStandingStill(child.pid) == nil && isStandingStill(0) == nil)
    }
}

struct MachineTimesTests {
    @Test("Steal and idle times are read for each processor, in ticks of the kernel")
    func processors() {
        let stat = "cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 1 2 3 400 100 6 7 250 0 0\ncpu1 0 0 0 0 0 0 0 x\nintr 1\ncpu2 1 2\n"
        let read = MachineTimes.processors(in: stat)
        #expect(read.map(\.stolen) == [.milliseconds(2500), .zero] && read.map(\.idle) == [.seconds(5), .zero])
    }

    @Test("Throttled time is read in both versions of control groups")
    func throttled() {
        #expect(MachineTimes.throttled(in: "nr_periods 3\nthrottled_usec 2500000\n") == .milliseconds(2500))
        #expect(MachineTimes.throttled(in: "nr_throttled 3\nthrottled_time 2500000000\n") == .milliseconds(2500))
        #expect(MachineTimes.throttled(in: "throttled_usec -1\nthrottled_usec 9223372036854775807\n") == .zero)
        #expect(MachineTimes.throttled(in: "") == .zero)
    }

    @Test("All control groups from this process's own up to the root may have a quota")
    func folders() {
        let second = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
        #expect(
            MachineTimes.folders(of: "0::/a/b\n", mounts: second)
                == ["/sys/fs/cgroup", "/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a"])
        let first = """
            31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
            32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
            38 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
            """
        #expect(
            MachineTimes.folders(of: "3:cpu,cpuacct:/x\n0::/y\n", mounts: first)
                == ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu/x"])
        #expect(MachineTimes.folders(of: "nonsense", mounts: first) == [])
    }
}
