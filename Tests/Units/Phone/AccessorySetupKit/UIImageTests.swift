import AccessorySetupKit
import HILPhone
import HostRadio
import TestSupport
import Testing

/// An app whose resources are the folder `Fixtures/Pictures`.
private final class PicturesApp: AppUnderTest {
    static let bundle = AppBundle(
        identifier: "com.example.pictures", infoPlist: fixture("DiceApp") + "/Info.plist",
        resources: fixture("Pictures"))
}

/// Reading the app's pictures from files.
@Suite struct UIImageTests {
    @Test("A picture gives the file that it was read from, in that file's own format")
    func files() throws {
        let png = try #require(FileManager.default.contents(atPath: fixture("DiceApp") + "/die@2x.png"))
        let jpeg = try #require(FileManager.default.contents(atPath: fixture("Pictures") + "/die.jpg"))
        #expect(UIImage(data: png)?.pngData() == png && UIImage(data: jpeg)?.jpegData(compressionQuality: 1) == jpeg)
        #expect(UIImage(data: jpeg)?.pngData() == nil && UIImage(systemName: "lamp")?.pngData() == nil)
    }

    @Test("A text's document is plain text; other formats are an error that an app can handle")
    func documents() throws {
        let text = NSAttributedString(string: "Dinner?")
        let plain = try text.data(
            from: NSRange(location: 0, length: 6),
            documentAttributes: [.documentType: NSAttributedString.DocumentType.plain])
        #expect(plain == Data("Dinner".utf8))
        #expect(throws: CocoaError.self) {
            try text.data(
                from: NSRange(location: 0, length: 1),
                documentAttributes: [.documentType: NSAttributedString.DocumentType.rtfd])
        }
    }

    @Test(
        "The dice app's picture is found in its highest scale, fills the frame and is transparent",
        .covers("K17"))
    func picture() async throws {
        let stand = try await SetupStand()
        let image = try #require(stand.phone.asCurrent { UIImage(named: "die") })
        #expect(image.size.width == 180 && image.size.height == 120 && image.scale == 3)
        let smaller = try #require(
            stand.phone.asCurrent { UIImage(contentsOfFile: fixture("DiceApp") + "/die@2x.png") })
        #expect(smaller.size == image.size && smaller.scale == 2)
        try stand.show(stand.session(), [stand.item()])
        #expect(stand.phone.warnings.isEmpty)
    }

    @Test("A JPEG is found with and without its extension; a missing or broken file gives nil and a note")
    func files() async throws {
        let phone = Phone(radio: InMemoryRadio())
        _ = try await phone.launch(PicturesApp.self)
        for name in ["die", "die.jpg"] {
            let image = try #require(phone.asCurrent { UIImage(named: name) })
            #expect(image.size.width == 360 && image.size.height == 240 && image.scale == 1)
        }
        for name in ["die.png", "none", ""] { #expect(phone.asCurrent { UIImage(named: name) } == nil) }
        #expect(phone.asCurrent { UIImage(contentsOfFile: fixture("DiceApp") + "/Info.plist") } == nil)
        let notes = phone.log.events.filter { if case .note("pictures", _) = $0.kind { true } else { false } }
        #expect(notes.count == 4)
    }

    @Test("A picture with an opaque background gives a warning", .covers("K17"))
    func opaque() async throws {
        let stand = try await SetupStand()
        let image = try #require(stand.phone.asCurrent { UIImage(contentsOfFile: fixture("Pictures") + "/die.jpg") })
        let item = try stand.item()
        let session = stand.session()
        stand.show(
            session, [ASPickerDisplayItem(name: "Die", productImage: image, descriptor: item.descriptor)])
        #expect(stand.phone.warnings.map(\.rule) == ["K17"])
    }

    @Test("A picture that an app puts together is the first one that it draws where it can be seen")
    func rendered() throws {
        let size = CGSize(width: 180, height: 120)
        let renderer = UIGraphicsImageRenderer(size: size)
        func image(_ draw: (UIGraphicsImageRendererContext) -> Void) -> String? {
            renderer.image(actions: draw).picture?.path
        }
        let dice = try #require(UIImage(systemName: "dice")?.withTintColor(.systemBlue, renderingMode: .alwaysOriginal))
        let lamp = try #require(UIImage(systemName: "lamp"))
        let drawn = image { context in
            UIColor.clear.setFill()
            context.fill(CGRect(origin: .zero, size: size))
            lamp.draw(at: CGPoint(x: 180, y: 0))
            UIImage().draw(in: CGRect(origin: .zero, size: size))
            // A picture within a picture leaves the outer one as it is.
            #expect(image { _ in lamp.draw(at: .zero) } == "symbol:lamp")
            dice.draw(at: CGPoint(x: 60, y: 30))
            lamp.draw(at: .zero)
        }
        #expect(drawn == "symbol:dice")
        #expect(image { _ in } == nil)
        lamp.draw(at: .zero)
    }

    @Test("A picture that comes as data has its size; other data is no picture")
    func data() throws {
        let file = fixture("GadgetApp") + "/gadget@2x.png"
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let (plain, scaled) = (try #require(UIImage(data: data)), try #require(UIImage(data: data, scale: 2)))
        #expect(plain.size.width == 2 * scaled.size.width && plain.size.width > 0 && scaled.scale == 2)
        #expect(UIImage(data: data.dropLast(40)) == nil && UIImage(data: Data()) == nil)
        #expect(UIImage(data: data, scale: 0) == nil && UIImage(data: data, scale: .infinity) == nil)
    }

    @Test("An empty picture and a symbol need no file; a picker takes both")
    func withoutFiles() async throws {
        let stand = try await SetupStand()
        #expect(UIImage().size == .zero && UIImage(systemName: "") == nil)
        let symbol = try #require(UIImage(systemName: "dice", withConfiguration: .init(pointSize: 20)))
        #expect(symbol.size == CGSize(width: 60, height: 60) && symbol.picture?.path == "symbol:dice")
        let item = try stand.item()
        stand.show(
            stand.session(),
            [
                ASPickerDisplayItem(name: "Die", productImage: symbol, descriptor: item.descriptor),
                ASPickerDisplayItem(name: "Lamp", productImage: UIImage(), descriptor: item.descriptor),
            ])
        #expect(stand.phone.warnings.isEmpty)
    }
}
