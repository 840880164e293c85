import Testing

@testable import HILLabgrid

struct LabgridRequestTests {
    @Test("A place by its name, and places by their tags")
    func reads() throws {
        #expect(try LabgridRequest(parsing: "labgrid:bench-1").wanted == .place("bench-1"))
        #expect(try LabgridRequest(parsing: "labgrid:kind=hil").wanted == .tags(["kind": "hil"]))
        let two = try LabgridRequest(parsing: "labgrid:site=berlin,kind=hil")
        #expect(two.wanted == .tags(["kind": "hil", "site": "berlin"]))
        #expect("\(two)" == "labgrid:kind=hil,site=berlin")
    }

    @Test(
        "What asks for no place is refused, with how to write it",
        arguments: [
            "", "labgrid", "labgrid:", "ssh:a,b", "labgrid:a b", "labgrid:kind=", "labgrid:=hil", "labgrid:kind=hil,",
            "labgrid:Kind=hil", "labgrid:kind=a=b", "labgrid:kind=a,kind=b", "labgrid:a\nb",
            "labgrid:\(String(repeating: "x", count: 1001))",
        ])
    func refuses(_ text: String) {
        #expect(throws: LabgridRequest.Mistake.self) { try LabgridRequest(parsing: text) }
        do { _ = try LabgridRequest(parsing: text) } catch {
            #expect(error.description.contains("labgrid:PLACE"))
        }
    }

    @Test("The coordinator is what the command line says, else what the environment says, else this machine's own")
    func coordinator() throws {
        let environment = ["LG_COORDINATOR": "lab.example:1"]
        #expect(try LabgridRequest.coordinator(named: "ci:9", environment: environment) == "ci:9")
        #expect(try LabgridRequest.coordinator(named: nil, environment: environment) == "lab.example:1")
        #expect(try LabgridRequest.coordinator(named: nil, environment: ["LG_COORDINATOR": ""]) == "127.0.0.1:20408")
        #expect(try LabgridRequest.coordinator(named: "lab", environment: [:]) == "lab:20408")
        #expect(try LabgridRequest.coordinator(named: "[::1]", environment: [:]) == "[::1]:20408")
        for wrong in ["a b", "http://lab", "lab:port", "-x", "", "lab:1/2"] where wrong != "-x" {
            #expect(throws: LabgridRequest.Mistake.self, "\(wrong)") {
                try LabgridRequest.coordinator(named: wrong, environment: [:])
            }
        }
    }

    @Test("Of all places those with the tags are meant, or the one with the name, before one with that alias")
    func chosen() throws {
        let places = [
            LabgridPlace(name: "one", tags: ["kind": "hil", "accessory": "none"], aliases: ["two"]),
            LabgridPlace(name: "two", tags: ["kind": "hil"]), LabgridPlace(name: "three"),
        ]
        func names(_ text: String) throws -> [String] {
            try LabgridRequest(parsing: text).chosen(of: places).map(\.name)
        }
        #expect(try names("labgrid:kind=hil") == ["one", "two"])
        #expect(try names("labgrid:two") == ["two"] && names("labgrid:four") == [])
        #expect(places.map(\.isWithoutAccessory) == [true, false, false])
        let split = LabgridBenches.split(places)
        #expect(split.black == ["one"] && split.boards == ["two", "three"])
    }
}
