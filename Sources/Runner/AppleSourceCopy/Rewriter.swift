import HILSwiftSource

/// Goes once through the tokens of a source and notes what to change.
struct Rewriter {
    private(set) var edits = SourceEdits()
    private(set) var problems: [AppleSourceCopy.Problem] = []
    /// Whether the source makes selectors or names their type.
    private(set) var usesSelectors = false
    /// Whether the source names a type of URL loading, which is no part of Foundation on Linux.
    private(set) var usesURLLoading = false

    private let source: [UInt8]
    private let tokens: [SwiftToken]
    private var place = 0
    private var branches: [Branch] = []
    private var types = TypeNesting()

    /// An open `#if`.
    private struct Branch {
        /// Whether a branch that an iPhone takes for certain came before.
        var isDecided: Bool
        /// Whether the current branch may be compiled.
        var isActive: Bool
        /// Whether the whole `#if` may be compiled.
        let isReached: Bool
    }

    /// Attributes that mean nothing without Objective-C and Interface Builder, and `@main` and its older forms: the
    /// app is no program of its own here.
    private static let dropped: Set = [
        "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBDesignable", "IBInspectable", "IBSegueAction",
        "GKInspectable", "UIApplicationMain", "NSApplicationMain", "main",
    ]
    private static let impossible = [
        "NSManaged": "Core Data makes this property at run time, which Linux has not",
        "NSCopying": "without Objective-C nothing copies what is set: copy it in `didSet`",
    ]

    init(source: [UInt8]) {
        self.source = source
        tokens = SwiftLexer.read(source)
    }

    mutating func rewrite() {
        while place < tokens.count { step() }
    }

    private var isActive: Bool { branches.last.map { $0.isReached && $0.isActive } ?? true }

    private func token(_ offset: Int) -> SwiftToken? {
        place + offset < tokens.count ? tokens[place + offset] : nil
    }

    /// The word that stands directly behind the sign here.
    private var attachedWord: String? {
        guard let word = token(1), word.kind == .word,
            word.range.lowerBound == tokens[place].range.upperBound
        else { return nil }
        return word.text
    }

    private mutating func step() {
        let token = tokens[place]
        if token.isSign("#"), let word = attachedWord { return readHash(word) }
        defer { place += 1 }
        guard isActive else { return }
        if token.isSign("@"), let word = attachedWord {
            readAttribute(word)
        } else if token.isWord("optional"), self.token(1).map(Self.beginsRequirement) == true {
            report(
                token,
                "protocols of Swift have no optional requirements: give `optional` ones an empty body in an"
                    + " extension of the protocol instead")
        } else if token.isWord("override"), types.isInExtension {
            readOverride()
        } else if token.isWord("import") {
            readImport()
        } else if token.isWord("Selector") {
            usesSelectors = true
        } else {
            if token.kind == .word, Self.isOfURLLoading(token.text) { usesURLLoading = true }
            types.read(tokens, at: place)
        }
    }

    /// What is in Foundation on Apple's systems, and in FoundationNetworking on Linux.
    private static func isOfURLLoading(_ name: String) -> Bool {
        let names: Set = [
            "URLRequest", "NSURLRequest", "NSMutableURLRequest", "URLResponse", "HTTPURLResponse", "CachedURLResponse",
            "URLCache", "URLCredential", "URLCredentialStorage", "URLProtectionSpace", "URLProtocol",
            "URLProtocolClient", "URLAuthenticationChallenge", "HTTPCookie", "HTTPCookieStorage",
        ]
        return name.hasPrefix("URLSession") || names.contains(name)
    }

    private static func beginsRequirement(_ token: SwiftToken) -> Bool {
        token.kind == .word && ["func", "var", "subscript", "static", "class"].contains(token.text)
    }

    private mutating func report(_ token: SwiftToken, _ text: String) {
        let start = source[..<token.range.lowerBound].lastIndex { $0 == UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        problems.append(
            AppleSourceCopy.Problem(line: token.line, column: token.range.lowerBound - start + 1, text: text))
    }

    /// Gives a text for debuggers another name: without Objective-C an extension overrides nothing, and nobody but a person
    /// at a debugger misses this. Other members that an extension overrides are left to the compiler, which names them.
    private mutating func readOverride() {
        var last = place
        while let word = token(last + 1 - place), word.kind == .word, word.text != "debugDescription", last < place + 6
        {
            last += 1
        }
        guard let name = token(last + 1 - place), name.isWord("debugDescription"), tokens[last].isWord("var") else {
            return
        }
        edits.blank(tokens[place].range)
        edits.replace(name.range, with: "debugDescriptionOfExtension")
        place = last + 1
    }

    /// Leaves out the part of a module: Linux has only whole modules. `import class Module.Name` is of Swift.
    private mutating func readImport() {
        guard let module = token(1), module.kind == .word else { return }
        var last = place + 1
        while last + 2 < tokens.count, tokens[last + 1].isSign("."), tokens[last + 2].kind == .word,
            tokens[last].range.upperBound == tokens[last + 1].range.lowerBound,
            tokens[last + 1].range.upperBound == tokens[last + 2].range.lowerBound
        {
            last += 2
        }
        if last > place + 1 { edits.blank(module.range.upperBound..<tokens[last].range.upperBound) }
        place = last
    }

    // MARK: Attributes

    private mutating func readAttribute(_ word: String) {
        let first = tokens[place]
        if let reason = Self.impossible[word] { report(first, "`@\(word)` cannot be copied: \(reason)") }
        if word == "convention", token(2)?.isSign("(") == true, token(3)?.text == "block" {
            report(first, "Objective-C's blocks cannot be copied: take a closure of Swift")
        }
        guard Self.dropped.contains(word) else { return }
        var last = place + 1
        // The name for Objective-C: `@objc(name)`, `@objc(first:second:)`.
        if last + 1 < tokens.count, tokens[last + 1].isSign("("),
            tokens[last + 1].range.lowerBound == tokens[last].range.upperBound
        {
            last = closing(of: last + 1)
        }
        edits.blank(first.range.lowerBound..<tokens[last].range.upperBound)
        place = last
    }

    /// The index of the parenthesis that closes the one with this index; the last token if none does.
    private func closing(of index: Int) -> Int {
        var depth = 0
        for place in index..<tokens.count {
            depth += tokens[place].isSign("(") ? 1 : tokens[place].isSign(")") ? -1 : 0
            if depth == 0 { return place }
        }
        return tokens.count - 1
    }

    // MARK: What begins with #

    /// Reads a directive or an expression, with all its tokens.
    private mutating func readHash(_ word: String) {
        switch word {
        case "if":
            branches.append(Branch(isDecided: false, isActive: true, isReached: isActive))
            readCondition()
        case "elseif": readCondition()
        case "else":
            if let last = branches.indices.last { branches[last].isActive = !branches[last].isDecided }
            place += 2
        case "endif":
            _ = branches.popLast()
            place += 2
        case "selector" where isActive && token(2)?.isSign("(") == true: readSelector()
        case "keyPath" where isActive && token(2)?.isSign("(") == true: readKeyPath()
        default: place += 2
        }
    }

    private mutating func readCondition() {
        let condition = CompilationCondition(tokens, at: place + 2)
        for system in condition.systems where branches.last?.isReached ?? true {
            edits.replace(system.range, with: system.holds ? "true" : "false")
        }
        if let last = branches.indices.last {
            branches[last].isActive = !branches[last].isDecided && condition.value != false
            if condition.value == true { branches[last].isDecided = true }
        }
        place = max(condition.end, place + 2)
    }

    private mutating func readSelector() {
        let (first, last) = (tokens[place], closing(of: place + 2))
        defer { place = last + 1 }
        usesSelectors = true
        let inner = Array(tokens[min(place + 3, last)..<last])
        guard let reference = SelectorReference(inner, in: types.name) else {
            return report(
                first,
                "this selector cannot be copied: only one of a method, by its name and labels, and inside of a"
                    + " type or with the type's name, has a closure for it")
        }
        edits.replace(
            first.range.lowerBound..<tokens[last].range.upperBound,
            with: "Selector(\"\(reference.name)\", \(reference.method))")
    }

    private mutating func readKeyPath() {
        let (first, last) = (tokens[place], closing(of: place + 2))
        defer { place = last + 1 }
        // A type's name is no part of the text.
        let names = (SelectorReference.path(tokens[min(place + 3, last)..<last]) ?? [])
            .drop { $0.first?.isUppercase == true || $0 == "self" }
        guard !names.isEmpty else { return report(first, "this key path cannot be copied: it names no property") }
        edits.replace(
            first.range.lowerBound..<tokens[last].range.upperBound,
            with: "\"\(names.joined(separator: "."))\"")
    }
}
