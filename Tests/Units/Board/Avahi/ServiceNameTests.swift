import Testing

@testable import HILAvahi

@Suite("Names of services")
struct ServiceNameTests {
    @Test(
        "A name that somebody else has gets a number, or the next one",
        arguments: [
            ("Lamp", "Lamp (2)"), ("Lamp (2)", "Lamp (3)"), ("Lamp (9)", "Lamp (10)"), ("Lamp (1)", "Lamp (1) (2)"),
            ("Lamp(2)", "Lamp(2) (2)"), ("(2)", "(2) (2)"), ("Lamp (x)", "Lamp (x) (2)"), ("", " (2)"),
            ("Lamp (-2)", "Lamp (-2) (2)"),
        ])
    func alternatives(_ name: String, _ alternative: String) {
        #expect(ServicePublication.alternative(to: name) == alternative)
    }

    @Test("A name never gets longer than 63 bytes, whatever it is made of", arguments: ["x", "ü", "灯", "🎲"])
    func longNames(_ character: String) {
        var name = String(repeating: character, count: 63 / character.utf8.count)
        for number in 2...12 {
            name = ServicePublication.alternative(to: name)
            #expect(name.utf8.count <= 63 && name.hasSuffix(" (\(number))"))
        }
    }

    @Test("Domains are written with and without the dot at their end")
    func domains() {
        #expect(Avahi.bare("local.") == "local" && Avahi.bare("local") == "local" && Avahi.bare("") == "local")
        #expect(Avahi.dotted("local") == "local." && Avahi.dotted("local.") == "local.")
    }
}
