import Foundation
import FoundationXML
import HILPhone
import HILScreenDrawing
import Testing

/// Names come from the air: a screen with any name is drawn, and the drawing is well-formed.
@Suite(.serialized)
struct ScreenFuzzTests {
    @Test("A screen with broken names is drawn as well-formed XML without script")
    func screens() async {
        let names = [
            "Die 7", "“Die” & <b>", "مرحبا بالنرد", "👨‍👩‍👧‍👦🎲🏳️‍🌈", "骰子七号", "e\u{301}\u{301}", "\u{202E}abc\u{202C}",
            "a\n\u{1B}[31m",
            "]]></svg><script>",
        ]
        let kinds: [Screen.Kind] = [.picker, .settingUp, .passkey, .rename, .migration, .joinNetwork, .settings]
        await Fuzzer(corpus: names.map { Array($0.utf8) }).run("screens") { bytes, numbers in
            let name = String(decoding: bytes, as: UTF8.self)
            let entries = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
                Screen.Entry(title: name, detail: name, picture: name)
            }
            let kind = kinds.randomElement(using: &numbers) ?? .picker
            let screen = Screen(kind, title: "“\(name)” Is Ready", lines: [name], entries: entries, controls: [.cancel])
            let parser = XMLParser(data: Data(ScreenDrawing(screen).svg(.light).utf8))
            let reader = ScriptFinder()
            parser.delegate = reader
            guard parser.parse() else {
                throw Fuzzer.Finding("it is no XML: \(String(describing: parser.parserError))")
            }
            guard !reader.hasFound else { throw Fuzzer.Finding("a name has become an element") }
        }
    }

    private final class ScriptFinder: NSObject, XMLParserDelegate {
        var hasFound = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            if ["script", "b"].contains(name) { hasFound = true }
        }
    }
}
