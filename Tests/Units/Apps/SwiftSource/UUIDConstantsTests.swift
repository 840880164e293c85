import HILSwiftSource
import Testing

/// The names that a team's own sources give its UUIDs.
@Suite("Names of UUIDs in a source")
struct UUIDConstantsTests {
    private static func names(_ source: String) -> [String: String] { UUIDConstants.names(in: Array(source.utf8)) }
    private static let long = "4C410002-7C3A-4F6B-9B52-1A6F0C8E5D47"

    @Test(
        "A constant, a variable or a case names its value",
        arguments: [
            "static let colour = CBUUID(string: \"LONG\")", "let colour: String = \"LONG\"",
            "enum ID: String { case colour = \"LONG\" }", "static var colour: CBUUID { CBUUID(string: \"LONG\") }",
            "private static let `colour` = Characteristic(\"LONG\", .read)",
        ])
    func constants(source: String) {
        #expect(Self.names(source.replacing("LONG", with: Self.long)) == [Self.long: "colour"])
        #expect(Self.names(source.replacing("LONG", with: Self.long.lowercased())) == [Self.long: "colour"])
    }

    @Test("Four digits are a UUID where they make one, and nowhere else")
    func short() {
        #expect(Self.names(#"let lock = CBUUID(string: "FF01")"#) == ["FF01": "lock"])
        #expect(Self.names(#"let battery = CBUUID(string: "180F")"#) == [:])
        #expect(Self.names(#"let id: CBUUID = x; let lock = "FACE""#) == [:])
    }

    @Test("A name that says nothing is that of the type, one that says little has it before it")
    func general() {
        #expect(
            Self.names("import CoreBluetooth; enum Lamp { static let service = CBUUID(string: \"FF00\") }")
                == ["FF00": "Lamp.service"])
        let source =
            "import CoreBluetooth\nenum Colour {\n    struct Other {}\n    static let uuid = CBUUID(string: \"FF02\")\n}"
        #expect(Self.names(source) == ["FF02": "Colour"])
        #expect(Self.names("import CoreBluetooth\nlet uuid = CBUUID(string: \"FF02\")") == [:])
    }

    @Test("A list does not name its elements")
    func list() { #expect(Self.names(#"let die = Expectations(open: ["\#(Self.long)"])"#) == [:]) }

    @Test("What no constant names has no name")
    func nameless() {
        let source = """
            peripheral.discover([CBUUID(string: "FF03")])
            let lamp = Service("\(Self.long)", [Characteristic("4C410003-7C3A-4F6B-9B52-1A6F0C8E5D47")])
            // let comment = CBUUID(string: "FF04")
            """
        #expect(Self.names(source) == [Self.long: "lamp"])
    }

    @Test(
        "No source is too short",
        arguments: ["", "\"", "let", "let a = \"\"", "CBUUID(string: \"FF01\")", "----------------"])
    func anySource(source: String) { #expect(Self.names(source) == [:]) }
}
