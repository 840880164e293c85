import Foundation
import HILBench
import HILPOSIX
import HILTiming
import RigModel
import StubRig
import Testing

@testable import HILLabgrid

@Suite(.enabled(if: TestLab.isHere, "labgrid is not installed for the tests: run `make check`"))
struct LabgridBenchesTests {
    @Test("The list has every place with its boards, and says why one is not a bench")
    func list() async throws {
        let lab = try await TestLab()
        let places = try await LabgridPlaces(lab.engine()).list()
        #expect(places.map(\.name) == ["bench-1", "bench-2", "bench-3", "half"])
        #expect(
            places.map(\.boards) == [
                .init(host: "root@127.0.0.11", accessory: "pi@127.0.0.12:2222", power: ["accessory"]),
                .init(host: "root@127.0.0.21", accessory: "pi-acc"), .init(host: "root@127.0.0.31", accessory: nil),
                nil,
            ])
        #expect(places[3].problem?.contains("which board is the accessory") == true)
        #expect(places.allSatisfy { $0.holder == nil && $0.since == nil && $0.reserved == nil })
        #expect(places[1].tags == ["kind": "hil", "accessory": "pi-acc"] && places[0].aliases == ["bench-1-alias"])
    }

    @Test("Three places are taken side by side, a fourth is not waited for, and closing gives all back")
    func three() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:kind=hil", patience: .seconds(60))
        let taken = try await withThrowingTaskGroup(of: LentBench?.self) { group in
            for _ in 0..<4 { group.addTask { try await benches.take(excluding: []) } }
            return try await group.reduce(into: [LentBench?]()) { $0.append($1) }
        }
        let names = taken.compactMap { $0?.address.name }
        #expect(names.sorted() == ["bench-1", "bench-2", "bench-3"] && taken.count == 4)
        let addresses = Dictionary(uniqueKeysWithValues: taken.compactMap { $0 }.map { ($0.address.name, $0.address) })
        #expect(addresses["bench-1"]?.accessory == .ssh("pi@127.0.0.12:2222"))
        #expect(addresses["bench-3"]?.accessory == nil && addresses["bench-3"]?.host == .ssh("root@127.0.0.31"))
        let holders = try await lab.holders()
        #expect(holders.count == 3)
        #expect(Set(holders.values) == [.init(host: "ci-3", user: "sam", job: "nightly", runs: true)])
        await benches.close()
        #expect(try await lab.holders().isEmpty)
    }

    @Test("Places that a run does not want are not taken")
    func except() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:kind=hil", except: ["bench-1", "bench-2"])
        #expect(try await benches.take(excluding: [])?.address.name == "bench-3")
        #expect(try await benches.take(excluding: []) == nil)
        await benches.close()
    }

    @Test("A place that was given back can be taken again, one that is excluded is not, and then none is left")
    func again() async throws {
        let lab = try await TestLab()
        let benches = try lab.benches("labgrid:kind=hil")
        let first = try await benches.bench(excluding: ["bench-1", "bench-3"])
        #expect(first.address.name == "bench-2" && first.cyclePower == nil)
        await first.giveBack()
        #expect(try await lab.holders().isEmpty)
        #expect(try await benches.bench(excluding: ["bench-1", "bench-3"]).address.name == "bench-2")
        #expect(try await benches.take(excluding: ["bench-1", "bench-3"]) == nil)
        #expect(try await benches.take(excluding: ["bench-1", "bench-2", "bench-3"]) == nil)
        await benches.close()
        await #expect(throws: RigFailure.self) { try await benches.take(excluding: []) }
    }

    @Test("A place that another user holds is an error with its name, its holder and what to do, and is not touched")
    func otherUser() async throws {
        let lab = try await TestLab()
        let kims = try lab.benches("labgrid:bench-1-alias", user: "kim", job: "soak")
        #expect(try await kims.bench().address.name == "bench-1")
        let benches = try lab.benches("labgrid:bench-1")
        let refused = try #require(await failure(of: benches))
        #expect(refused.description.contains("bench-1 is held by kim on ci-3 (hil job soak)"))
        #expect(refused.remedy?.contains("wait until it is released") == true, "\(refused)")
        await #expect(throws: RigFailure.self) { try await LabgridPlaces(lab.engine()).release("bench-1") }
        #expect(try await LabgridPlaces(lab.engine()).release(nil) == [])
        await benches.close()
        #expect(try await lab.holders()["bench-1"]?.user == "kim")
        let forced = try await LabgridPlaces(lab.engine()).release("bench-1", byForce: true)
        #expect(forced.map(\.released) == [true])
        #expect(try await lab.holders().isEmpty)
        await kims.close()
    }

    @Test("What is not there is an error that says what there is")
    func unknown() async throws {
        let lab = try await TestLab()
        let none = try lab.benches("labgrid:bench-9")
        #expect(await failure(of: none)?.remedy?.contains("bench-1, bench-2, bench-3, half") == true)
        let tags = try lab.benches("labgrid:kind=other")
        #expect(await failure(of: tags)?.reason.contains("has the tags kind=other") == true)
        let half = try lab.benches("labgrid:half")
        #expect(await failure(of: half)?.reason.contains("which board is the accessory") == true)
        for benches in [none, tags, half] { await benches.close() }
    }

    @Test("A run that waits gets the place as soon as it is released")
    func waits() async throws {
        let lab = try await TestLab()
        let kims = try lab.benches("labgrid:bench-1", user: "kim")
        let bench = try await kims.bench()
        let benches = try lab.benches("labgrid:bench-1", patience: .seconds(120))
        async let waiting = benches.take(excluding: [])
        try await lab.reserved("bench-1")
        await bench.giveBack()
        #expect(try await waiting?.address.name == "bench-1")
        #expect(try await lab.holders()["bench-1"]?.user == "sam")
        // Nothing of the wait is left: another user gets the place at once.
        await benches.close()
        #expect(try await kims.bench().address.name == "bench-1")
        await kims.close()
    }

    @Test("A wait that is cancelled leaves neither a place nor a reservation")
    func cancelled() async throws {
        let lab = try await TestLab()
        let kims = try lab.benches("labgrid:bench-1", user: "kim")
        let bench = try await kims.bench()
        let benches = try lab.benches("labgrid:bench-1", patience: .seconds(120))
        let waiting = Task { try await benches.take(excluding: []) }
        try await lab.reserved("bench-1")
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await bench.giveBack()
        #expect(try await kims.bench().address.name == "bench-1")
        await benches.close()
        await kims.close()
    }

    @Test("A reservation that the coordinator forgets is an error that says so")
    func expired() async throws {
        let prelude = """
            import time
            import labgrid.remote.common as common
            made = common.Reservation.__init__
            def soon(self, *values, **named):
                made(self, *values, **named)
                self.timeout = time.time() - 1
            common.Reservation.__init__ = soon
            common.Reservation.refresh = lambda self, delta=60: None
            """
        let lab = try await TestLab(prelude: prelude)
        let kims = try lab.benches("labgrid:kind=hil", user: "kim")
        let held = [try await kims.bench(), try await kims.bench(), try await kims.bench()]
        #expect(held.count == 3)
        let benches = try lab.benches("labgrid:bench-2", patience: .seconds(120))
        let failed = try #require(await failure(of: benches))
        #expect(failed.reason.contains("reservation"), "\(failed)")
        #expect(failed.remedy == "run again")
        await benches.close()
        await kims.close()
    }

    @Test("A board's power is switched off and on again, where labgrid can")
    func power() async throws {
        let server = try LineProcess(
            [
                "python3", "-u", "-c",
                """
                import http.server
                class Switch(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        print("switched", self.path)
                        self.send_response(200)
                        self.end_headers()
                server = http.server.HTTPServer(("127.0.0.1", 0), Switch)
                print("port", server.server_port)
                server.serve_forever()
                """,
            ], environment: ProcessInfo.processInfo.environment)
        let port = try #require(try await server.line(with: "port ").split(separator: " ").last.flatMap { Int($0) })
        let lab = try await TestLab(power: port)
        let benches = try lab.benches("labgrid:bench-1")
        let bench = try await benches.bench()
        let cyclePower = try #require(bench.cyclePower)
        try await cyclePower(.ssh("pi@127.0.0.12:2222"))
        // Its answer may be here before what it has printed is read.
        _ = try await server.line(with: "switched /7/1")
        #expect(server.lines.events.filter { $0.hasPrefix("switched") } == ["switched /7/0", "switched /7/1"])
        let host = try #require(bench.address.host)
        await #expect(throws: RigFailure.self) { try await cyclePower(host) }
        await server.kill()
        await #expect(throws: RigFailure.self) { try await cyclePower(.ssh("pi@127.0.0.12:2222")) }
        await benches.close()
    }
}
