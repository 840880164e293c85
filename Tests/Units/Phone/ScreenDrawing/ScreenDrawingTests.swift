import Foundation
import FoundationXML
import HILPhone
import Testing

@testable import HILScreenDrawing

/// Drawings of the phone's screens are complete, contain no scripts, and stay within the screen.
struct ScreenDrawingTests {
    /// Collects the elements, texts and references of a drawing from an XML parser.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [String: Int] = [:]
        var texts: [(x: Double, y: Double, text: String)] = []
        var references: [String] = []
        private var position: (x: Double, y: Double)?
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements[name, default: 0] += 1
            if let reference = attributes["href"] { references.append(reference) }
            guard name == "text" else { return }
            position = (Double(attributes["x"] ?? "") ?? .nan, Double(attributes["y"] ?? "") ?? .nan)
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { if position != nil { text += string } }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            guard name == "text", let position else { return }
            texts.append((position.x, position.y, text))
            self.position = nil
        }
    }

    private func read(_ svg: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError)): \(svg.suffix(300))")
        return reader
    }

    private func draw(
        _ screen: Screen, _ appearance: ScreenDrawing.Appearance = .light, pictures: [String: String] = [:]
    ) throws -> Reader {
        try read(ScreenDrawing(screen, pictures: pictures).svg(appearance))
    }

    @Test(
        "What can be tapped lies on the screen, has a control of it and words, and there is a place for most controls")
    func targets() {
        for screen in SampleScreens.all() {
            let targets = ScreenDrawing(screen).targets
            for target in targets {
                #expect(screen.controls.contains(target.control) && !target.label.isEmpty, "\(screen.kind)")
                #expect(target.x >= 0 && target.x + target.width <= ScreenDrawing.size.width)
                #expect(target.y >= 0 && target.y + target.height <= ScreenDrawing.size.height)
            }
            #expect(screen.controls.isEmpty || !targets.isEmpty, "\(screen.kind)")
        }
        let alert = Screen(.passkeyEntry, title: "Pair?", controls: [.enterPasskey, .cancel])
        let entry = ScreenDrawing(alert).targets.first { $0.control == .enterPasskey }
        #expect(entry?.input == .passkey && entry?.field?.count == 4)
        let behind = Screen(
            .picker, title: "Finding", entries: [.init(title: "Die", detail: "", id: UUID())], controls: [.pick])
        #expect(ScreenDrawing(alert, over: behind).targets.allSatisfy { $0.control != .pick }, "a question is on top")
    }

    @Test("Every kind of screen is drawn, and the light and dark drawings differ")
    func kinds() throws {
        let screens = SampleScreens.all()
        for screen in screens {
            let drawing = ScreenDrawing(screen)
            for appearance in ScreenDrawing.Appearance.allCases { _ = try read(drawing.svg(appearance)) }
            #expect(drawing.svg(.light) != drawing.svg(.dark))
        }
    }

    @Test("A name of usual length is not cut, nor is the text around it")
    func wholeTexts() throws {
        for screen in SampleScreens.all(named: "Kitchen Lamp 2") {
            let texts = try draw(screen).texts.map(\.text)
            let cut = texts.filter { $0.hasSuffix("…") && $0 != "Pairing…" && $0 != "Choose Apps…" }
            #expect(cut.isEmpty, "\(screen.kind): \(cut)")
        }
    }

    @Test("With any name, the drawing is well-formed XML without scripts, and all text starts within the screen")
    func hostile() throws {
        for name in SampleScreens.hostileNames {
            for screen in SampleScreens.all(named: name) {
                let drawn = try draw(screen)
                #expect(drawn.elements["script"] == nil)
                for text in drawn.texts {
                    #expect((0...393).contains(text.x) && (0...852).contains(text.y), "\(screen.kind) \(text)")
                }
            }
        }
    }

    @Test("A picker shows title, picture, name, detail and button; a carousel also shows the next picture")
    func picker() throws {
        let pictures = [SampleScreens.picture: "data:image/png;base64,AAAA"]
        let screens = SampleScreens.all()
        let empty = try draw(screens[0], pictures: pictures)
        #expect(!empty.texts.map(\.text).contains("Set Up") && empty.elements["use"] == nil)
        let one = try draw(screens[1], pictures: pictures)
        for text in ["Finding Accessories", "Bluetooth Die", "Die 7", "Set Up"] {
            #expect(one.texts.map(\.text).contains(text))
        }
        #expect(one.elements["image"] == 1 && one.elements["use"] == 1)
        let several = try draw(screens[2], pictures: pictures)
        #expect(several.elements["image"] == 1 && several.elements["use"] == 2)
        #expect(several.references.allSatisfy { $0.hasPrefix("#picture") || $0.hasPrefix("data:image/png") })
    }

    @Test("The number to compare is drawn separately, in the form that the accessory shows")
    func passkey() throws {
        let screen = try #require(SampleScreens.all().first { $0.kind == .passkey })
        let texts = try draw(screen).texts.map(\.text)
        #expect(texts.contains("048 213"))
        #expect(texts.joined(separator: " ").contains("Confirm that this code is shown on the accessory."))
    }

    @Test("A question is drawn over the sheet on which it was asked, and only over a sheet")
    func question() throws {
        let screens = SampleScreens.all()
        let passkey = try #require(screens.first { $0.kind == .passkey })
        func texts(_ screen: Screen, over behind: Screen?) throws -> [String] {
            try read(ScreenDrawing(screen, over: behind).svg(.dark)).texts.map(\.text)
        }
        #expect(try texts(passkey, over: screens[3]).contains("Setting Up “Die 7”"))
        #expect(try !texts(passkey, over: passkey).contains("Setting Up “Die 7”"))
        #expect(try !texts(screens[1], over: screens[3]).contains("Setting Up “Die 7”"))
    }

    @Test("Names of drawings consist of their number and the kind of screen")
    func names() throws {
        let screens = SampleScreens.all()
        #expect(ScreenDrawing.name(of: screens[0], number: 1) == "01-picker")
        #expect(ScreenDrawing.name(of: screens[3], number: 12) == "12-setting-up")
        #expect(ScreenDrawing.picturePaths(of: screens[2]) == [SampleScreens.picture])
    }

    @Test("Long text is broken between words where possible, cut with an ellipsis, and stays within its width")
    func fit() {
        let fit = TextFit(17)
        let cut = fit.line(String(repeating: "W", count: 500), width: 200)
        #expect(cut.hasSuffix("W…") && fit.width(cut) <= 200)
        #expect(fit.line("Die 7", width: 200) == "Die 7")
        let lines = fit.lines("Make sure that the accessory is switched on and nearby.", width: 200, most: 4)
        #expect(lines.joined(separator: " ") == "Make sure that the accessory is switched on and nearby.")
        #expect(lines.count > 1 && lines.allSatisfy { fit.width($0) <= 200 })
        #expect(fit.lines("Set up “Die of Kim” now", width: 110, most: 3) == ["Set up", "“Die of Kim”", "now"])
        let title = TextFit(26, isBold: true)
        #expect(
            title.balancedLines("“Bluetooth Die” Is Ready", width: 270, most: 3) == ["“Bluetooth Die”", "Is Ready"])
        for name in SampleScreens.hostileNames {
            for most in 1...3 {
                let lines = fit.lines(name, width: 120, most: most)
                #expect(lines.count <= most)
                #expect(lines.allSatisfy { fit.width($0) <= 120.001 }, "\(lines)")
            }
        }
    }

    @Test("Characters that reorder or stack text are removed; letters, joined emoji and right-to-left names stay")
    func plain() {
        #expect(TextFit.plain("\u{202E}abc\u{202C}") == "abc")
        #expect(TextFit.plain("a\u{301}\u{301}\u{301}\u{301}\u{301}").unicodeScalars.count == 4)
        #expect(TextFit.plain("a\nb\u{0}") == "a b ")
        for text in ["👨‍👩‍👧‍👦", "🏳️‍🌈", "قرعة", "é", "骰子"] { #expect(TextFit.plain(text) == text) }
    }
}
