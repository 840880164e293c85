import Foundation
import TestSupport
import Testing

/// The Swift code of the articles is the code of this target, so that it compiles as it is printed.
struct ArticleTests {
    private static let articles = [
        "Sources/Runner/HIL/HIL.docc/YourFirstScenario.md", "Sources/Runner/HIL/HIL.docc/YourAccessory.md",
        "Sources/Runner/HIL/HIL.docc/Boards.md", "Sources/Runner/HIL/HIL.docc/PlayingByHand.md",
        "Sources/Runner/HIL/HIL.docc/YourApp.md", "Sources/Runner/HIL/HIL.docc/Exploring.md",
        "Sources/Runner/HIL/HIL.docc/Auditing.md", "Sources/Runner/HIL/HIL.docc/IsItLikeMyIPhone.md",
    ]

    /// An article whose code is a scenario that runs.
    private static let story = "Sources/Runner/HIL/HIL.docc/YourProductsStory.md"

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(checkout)/\(path)", encoding: .utf8)
    }

    /// The code blocks of an article in a language, in order.
    private func listings(of article: String, in language: String = "swift") throws -> [String] {
        try text(article).components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```").first ?? ""
        }
    }

    @Test("Every listing of an article is compiled by the tests, word by word", arguments: articles)
    func listings(_ article: String) throws {
        let name = URL(fileURLWithPath: article).deletingPathExtension().lastPathComponent
        let compiled = try text("Tests/Units/Documentation/\(name).swift")
        let listings = try listings(of: article)
        #expect(!listings.isEmpty)
        for listing in listings {
            guard listing.hasPrefix(".target(") else {
                #expect(compiled.contains(listing), "not compiled: \(listing)")
                continue
            }
            // A part of a Package.swift: each example has it with its own name.
            let product = try #require(listing.firstMatch(of: /\.product\(.*\)\)/)).output
            #expect(try text("Fixtures/Examples/Provisioning/Package.swift").contains(product))
        }
    }

    @Test(
        "The story's listings are the code of a scenario that runs: its app and its accessory whole, its steps in order"
    )
    func story() throws {
        let scenario = try text("Scenarios/DoorLock.swift")
        let app = try text("Scenarios/Support/LockApp.swift")
        var (steps, isInside) = ("", false)
        for listing in try listings(of: Self.story) {
            if listing.hasPrefix("let ") { isInside = true }
            if isInside, scenario.contains(listing) {
                steps += listing + "\n"
            } else {
                #expect(scenario.contains(listing) || app.contains(listing), "not in the code: \(listing)")
            }
        }
        let whole = scenario.components(separatedBy: "\nlet lockMovesIn").last ?? ""
        #expect(steps == "let lockMovesIn\(whole)\n", "the steps, one after the other, are the scenario")
        // All that an app needs beside them is where its bundle is.
        let shown = try listings(of: Self.story).filter { app.contains($0) }
        let parts = app.components(separatedBy: "\n\nextension LockApp: AppUnderTest").first ?? ""
        let (length, count) = (shown.reduce(0) { $0 + $1.count }, parts.count)
        #expect(length > count * 9 / 10, "the article shows the app: \(length) of \(count) characters")
        let list = try #require(try listings(of: Self.story, in: "xml").first)
        #expect(try text("Fixtures/DoorLock/Info.plist").contains(list))
    }

    @Test(
        "Every link to an article leads to one",
        arguments: ["Sources/Runner/HIL/HIL.docc", "Sources/Phone/Phone/Phone.docc"])
    func links(_ catalogue: String) throws {
        let folder = "\(checkout)/\(catalogue)"
        let articles = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        for article in articles {
            for link in try text("\(catalogue)/\(article)").matches(of: /<doc:([A-Za-z]+)>/) {
                #expect(articles.contains("\(link.1).md"), "\(article) links to \(link.1)")
            }
        }
    }

    // MARK: The README

    @Test("The README can be read at one go")
    func length() throws {
        let readme = try text("README.md")
        #expect(readme.utf8.count <= 9 * 1024)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("The README's scenario is compiled, word by word")
    func scenario() throws {
        let compiled = try text("Tests/Units/Documentation/Readme.swift")
        for listing in try listings(of: "README.md") { #expect(compiled.contains(listing), "not compiled: \(listing)") }
    }

    @Test("The README links to files, and names targets of make and commands of hil that there are")
    func names() throws {
        let readme = try text("README.md")
        for link in readme.matches(of: /\]\(([^)]+)\)/) {
            let path = "\(checkout)/\(link.1)"
            #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
        }
        let makefile = try text("Makefile")
        for target in readme.matches(of: /(?:`|\$ )make ([a-z-]+)/) {
            #expect(makefile.contains("\n\(target.1):"), "make \(target.1)")
        }
        let commands = try text("Sources/Runner/Command/Arguments.swift")
        for command in readme.matches(of: /`(?:\.build\/debug\/)?hil ([a-z]+)/) {
            #expect(commands.contains("\"\(command.1)\""), "hil \(command.1)")
        }
    }
}
