/// The page of `hil play`: the phone in the browser. Everything in it comes from its server, as ``PlayScript`` asks for it.
package enum PlayPage {
    /// The document. It has our style and our scripts, and no data.
    package static let document = Array(
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <title>hil play</title>
        <style>
        \((PageStyle.all + [PlayStyle.style]).joined(separator: "\n"))
        </style>
        <body>
        <noscript>This page needs JavaScript, which it brings along.</noscript>
        <script>
        "use strict";
        \([
            PageScript.core, PageScript.format, PageScript.timeline, PlayScript.actions, PlayScript.phone,
            PlayScript.lanes, PlayScript.desk, PlayScript.start,
        ].joined(separator: "\n"))
        </script>
        </body>
        </html>

        """.utf8)
}

/// The scripts of the page of `hil play`, each in a separate file.
enum PlayScript {}
