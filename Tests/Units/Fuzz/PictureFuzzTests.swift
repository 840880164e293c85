import Foundation
import HILPhone
import TestSupport
import Testing

/// Product pictures may be any bytes: the decoders neither crash nor return an invalid size.
@Suite(.serialized)
struct PictureFuzzTests {
    @Test("A broken picture is refused, or has pixels")
    func pictures() async throws {
        let corpus = try ["DiceApp/die@2x.png", "Pictures/die.jpg"].map { name in
            Array(try #require(FileManager.default.contents(atPath: fixture(name)), "\(name) is missing"))
        }
        await Fuzzer(corpus: corpus).run("pictures") { bytes, _ in
            guard let picture = try? Picture(bytes) else { return }
            guard (1...Picture.pixelLimit).contains(picture.width * picture.height) else {
                throw Fuzzer.Finding("it has \(picture.width)×\(picture.height) pixels")
            }
        }
    }
}
