import Foundation

/// The documents of the pages, each with its code in it, and without data.
///
/// A program reads them once. So a build while a run goes on does not put new code beside data of the old program.
package struct PageDocuments: Sendable {
    /// The page of a run.
    let run: PageFrame
    /// The page of `hil play`. Everything else in it comes from its server.
    package let play: [UInt8]
    /// The page for a person with a real phone. Everything else in it comes from its server.
    package let hand: [UInt8]
    /// The icon of served pages, as SVG: a die's face.
    package let icon: [UInt8]
    /// A page that leads elsewhere; ``link(to:)`` fills it in.
    private let link: String

    init(_ code: PageCode) throws(PageCode.Unreadable) {
        run = try PageFrame(code, "run.html")
        play = Array(try code.document("play.html").utf8)
        hand = Array(try code.document("hand.html").utf8)
        icon = Array(try code.text("icon.svg").utf8)
        link = try code.document("link.html")
    }

    /// The documents that were built with this program.
    package static func get() throws(PageCode.Unreadable) -> PageDocuments { try read.get() }

    private static let read = Result { () throws(PageCode.Unreadable) in try PageDocuments(PageCode()) }

    /// A page that leads to another page.
    ///
    /// - Parameter place: A relative address whose special characters are escaped.
    func link(to place: String) -> String { link.replacing("PLACE", with: place) }
}

/// The page of a run without its data: our style and our scripts, around the place of the data.
struct PageFrame: Sendable {
    /// How the element with the data begins in the document.
    private static let mark = #"<script type="application/json" id="data">"#
    private static let between = Array("</script>\n<script type=\"application/json\" id=\"files\">\n".utf8)

    private let head: [UInt8]
    private let tail: [UInt8]

    /// - Parameter name: The name of the HTML file.
    init(_ code: PageCode, _ name: String) throws(PageCode.Unreadable) {
        let document = try code.document(name)
        guard let mark = document.range(of: PageFrame.mark) else {
            throw PageCode.Unreadable(path: "\(code.folder)/\(name)", reason: "there is no \(PageFrame.mark) in it")
        }
        head = Array(document[..<mark.upperBound].utf8) + [UInt8(ascii: "\n")]
        tail = Array(document[mark.upperBound...].utf8)
    }

    /// The number of its bytes.
    var count: Int { head.count + PageFrame.between.count + tail.count }

    /// The document with these data: JSON that is safe in a script element.
    ///
    /// - Parameter files: The content of the files of a page in a single file, also as such JSON; nil for a page that
    ///   loads them.
    func around(_ data: [UInt8], files: [UInt8]? = nil) -> [UInt8] {
        guard let files else { return head + data + tail }
        return head + data + PageFrame.between + files + tail
    }
}
