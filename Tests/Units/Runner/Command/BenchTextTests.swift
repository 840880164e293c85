import HILLabgrid
import Testing

@testable import HILCommand

struct BenchTextTests {
    private let kim = LabgridPlace.Holder(host: "ci-3", user: "kim", job: "nightly", runs: false)

    @Test("Each place has a line with who holds it since when, and what it is")
    func list() {
        let places = [
            LabgridPlace(
                name: "bench-1", comment: "by the window", tags: ["kind": "hil", "site": "berlin"], aliases: ["window"],
                holder: kim, since: 1_795_000_000,
                boards: .init(host: "root@10.0.0.1", accessory: "pi-acc", power: ["host", "accessory"])),
            LabgridPlace(name: "b2", boards: .init(host: "pi-host", accessory: nil)),
            LabgridPlace(
                name: "b3", reserved: .init(host: "pc", user: "sam"), boards: .init(host: "x", accessory: "y")),
            LabgridPlace(name: "b4", problem: "no exporter offers it"),
            LabgridPlace(name: "b\u{1B}5", holder: .init(host: "h", user: "u"), since: 1e300),
        ]
        #expect(
            BenchText(isLocal: false).lines(places, of: "lab:20408") == [
                "bench-1  held by kim on ci-3 (hil job nightly, which no longer runs) since 2026-11-18 11:06",
                "         host root@10.0.0.1, accessory pi-acc; power of host and accessory can be switched",
                "         tags: kind=hil, site=berlin", "         also called window", "         by the window",
                "b2       free", "         host pi-host, no accessory board",
                "b3       reserved by sam on pc", "         host x, accessory y",
                "b4       cannot be used", "         not a bench: no exporter offers it",
                "b#x1B5   held by u on h", "", "5 places at lab:20408, 1 free",
            ])
        #expect(BenchText().lines([], of: "lab:1")[0].contains("lab:1 has no place"))
    }

    @Test("What was released is told, and what was not, with how to do it all the same")
    func release() {
        let other = LabgridPlace.Holder(host: "ci-4", user: "kim", job: "soak")
        #expect(
            BenchText().lines([
                .init(place: "a", holder: kim, released: true), .init(place: "b", holder: other, released: false),
                .init(place: "c", holder: nil, released: false),
            ]) == [
                "released a, which was held by kim on ci-3 (hil job nightly, which no longer runs)",
                "kept b, which is held by kim on ci-4 (hil job soak): name the place to release it anyway",
                "nobody holds c",
            ])
        #expect(BenchText().lines([]) == ["no killed job of yours holds a place"])
    }

    @Test("The command lines about benches")
    func arguments() throws {
        #expect(try Arguments.parse(["bench", "list"]) == .bench(.init(task: .list)))
        #expect(
            try Arguments.parse(["bench", "list", "--coordinator", "lab", "--format=json"])
                == .bench(.init(task: .list, coordinator: "lab:20408", format: .json)))
        #expect(
            try Arguments.parse(["bench", "release"]) == .bench(.init(task: .release(nil, byForce: false))))
        #expect(
            try Arguments.parse(["bench", "release", "b1", "--force"])
                == .bench(.init(task: .release("b1", byForce: true))))
        for wrong in [
            ["bench"], ["bench", "sell"], ["bench", "release", "--force"], ["bench", "release", "a", "b"],
            ["bench", "list", "x"], ["bench", "list", "--coordinator", "a b"],
        ] { #expect(throws: UsageError.self, "\(wrong)") { try Arguments.parse(wrong) } }
    }

    @Test("The command lines about parity and firmware")
    func parity() throws {
        #expect(
            try Arguments.parse(["parity", "a", "latest", "--least-change", "10%,50ms"])
                == .parity(.init(first: "a", second: "latest", leastChange: .init(share: 0.1, seconds: 0.05))))
        #expect(throws: UsageError.self) { try Arguments.parse(["parity", "a"]) }
        var settings = Request.RunSettings()
        settings.options.firmware = "1.4.2-rc1 (main)"
        #expect(try Arguments.parse(["run", "--firmware", "1.4.2-rc1 (main)"]) == .run(Request.Choice(), settings))
        for wrong in ["a\nb", String(repeating: "x", count: 101), "\u{1B}[31m"] {
            #expect(throws: UsageError.self) { try Arguments.parse(["run", "--firmware", wrong]) }
        }
    }
}
