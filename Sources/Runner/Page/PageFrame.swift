/// The page without its data: our style and our scripts, inside of the document.
struct PageFrame {
    private static let head = Array(
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>hil</title>
        <style>
        \(PageStyle.all.joined(separator: "\n"))
        </style>
        <body>
        <noscript>This page needs JavaScript, which it brings along. summary.md beside it says the same in brief.</noscript>
        <script type="application/json" id="data">

        """.utf8)
    private static let tail = Array(
        """
        </script>
        <script>
        "use strict";
        \(PageScript.all.joined(separator: "\n"))
        </script>
        </body>
        </html>

        """.utf8)

    private static let between = Array("</script>\n<script type=\"application/json\" id=\"files\">\n".utf8)

    /// The number of its bytes.
    var count: Int { PageFrame.head.count + PageFrame.between.count + PageFrame.tail.count }

    /// The document with these data: JSON that is safe in a script element.
    ///
    /// - Parameter files: The content of the files of a page in a single file, also as such JSON; nil for a page that
    ///   loads them.
    func around(_ data: [UInt8], files: [UInt8]? = nil) -> [UInt8] {
        guard let files else { return PageFrame.head + data + PageFrame.tail }
        return PageFrame.head + data + PageFrame.between + files + PageFrame.tail
    }
}

/// The scripts of the page, each in a separate file. They are Swift strings, so that the program's one file contains
/// the page, wherever it was built.
enum PageScript {
    /// In order: each uses those before it.
    static var all: [String] {
        [
            core, format, data, list, news, overview, timeline, lanes, moment, align, compare, parts, scenario, keys,
            live, start,
        ]
    }
}

/// The style of the page, each part in a separate file.
enum PageStyle {
    static var all: [String] { [base, overview, scenario] }
}
