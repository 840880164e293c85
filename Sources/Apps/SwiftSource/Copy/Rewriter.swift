/// Goes once through the tokens of a source and notes what to change.
struct Rewriter {
    private(set) var edits = SourceEdits()
    private(set) var problems: [AppleSourceCopy.Problem] = []
    var imports = ModuleImports()

    private let source: [UInt8]
    private let tokens: [SwiftToken]
    private var place = 0
    private var branches: [Branch] = []
    /// The braces whose contents are left out, by the index of the opening one, with that of the closing one.
    private var leftOut: [Int: Int] = [:]
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

    /// Attributes that mean nothing without Objective-C and Interface Builder, and `@main` and its older forms: the app
    /// is not a separate program here.
    private static let dropped: Set = [
        "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBDesignable", "IBInspectable", "IBSegueAction",
        "GKInspectable", "UIApplicationMain", "NSApplicationMain", "main",
    ]
    private static let impossible = [
        "NSManaged": "Core Data makes this property at run time, which Linux lacks",
        "NSCopying": "without Objective-C nothing copies the new value: copy it in `didSet`",
    ]

    init(source: [UInt8]) {
        self.source = source
        tokens = SwiftLexer.read(source)
    }

    mutating func rewrite() {
        while place < tokens.count { step() }
    }

    private var isActive: Bool { branches.last.map { $0.isReached && $0.isActive } ?? true }

    /// Whether an iPhone compiles the code here, whichever modules exist.
    private var isCertain: Bool { branches.allSatisfy { $0.isReached && $0.isActive && $0.isDecided } }

    private func token(_ offset: Int) -> SwiftToken? {
        place + offset < tokens.count ? tokens[place + offset] : nil
    }

    /// The word directly after the sign here.
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
                "Swift protocols have no optional requirements: give `optional` ones an empty body in an"
                    + " extension of the protocol instead")
        } else if token.isWord("override"), types.isInExtension {
            readOverride()
        } else if token.isWord("import") {
            readImport()
        } else if token.isWord("Selector") {
            imports.usesSelectors = true
        } else if token.isSign("?"), DelegateCall.isQuestion(tokens, at: place, closing: closing) {
            edits.blank(token.range)
        } else if token.isWord("Timer"), let call = timerCall {
            readTimer(call)
        } else {
            if let branch = AvailabilityBranch(tokens, at: place) { leftOut[branch.opening] = branch.closing }
            if token.kind == .word { imports.read(token.text) }
            types.read(tokens, at: place)
            if let closing = leftOut[place] { leaveOut(closing) }
        }
    }

    /// Replaces code that this phone never runs with the end of the program, so that the compiler needs nothing from
    /// it.
    private mutating func leaveOut(_ closing: Int) {
        edits.replace(tokens[place].range.upperBound..<tokens[closing].range.lowerBound, with: " fatalError() ")
        place = closing - 1
    }

    /// The index of the parenthesis of `Timer(` or `Timer.init(`.
    private var timerCall: Int? {
        if token(1)?.isSign("(") == true { return place + 1 }
        let isInit = token(1)?.isSign(".") == true && token(2)?.isWord("init") == true
        return isInit && token(3)?.isSign("(") == true ? place + 3 : nil
    }

    /// Renames the initialiser that keeps the app's target in the timer: an initialiser of an extension cannot
    /// make an object of another class.
    private mutating func readTimer(_ call: Int) {
        let labels = DelegateCall.labels(tokens, within: call..<closing(of: call))
        guard labels.first == "timeInterval", labels.contains("target") else { return }
        imports.usesSelectors = true
        edits.replace(
            tokens[place].range.lowerBound..<tokens[call - 1].range.upperBound, with: "Timer.unscheduled")
        place = call - 1
    }

    private static func beginsRequirement(_ token: SwiftToken) -> Bool {
        token.kind == .word && ["func", "var", "subscript", "static", "class"].contains(token.text)
    }

    private mutating func report(_ token: SwiftToken, _ text: String) {
        let start = source[..<token.range.lowerBound].lastIndex { $0 == UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        problems.append(
            AppleSourceCopy.Problem(line: token.line, column: token.range.lowerBound - start + 1, text: text))
    }

    /// Renames a text for debuggers: without Objective-C an extension overrides nothing, and only a person at a
    /// debugger misses this. Other members that an extension overrides are left to the compiler, which names them.
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

    /// Leaves out the part of a module: Linux has only whole modules. `import class Module.Name` is plain Swift.
    private mutating func readImport() {
        guard let module = token(1), module.kind == .word else { return }
        var last = place + 1
        while last + 2 < tokens.count, tokens[last + 1].isSign("."), tokens[last + 2].kind == .word,
            tokens[last].range.upperBound == tokens[last + 1].range.lowerBound,
            tokens[last + 1].range.upperBound == tokens[last + 2].range.lowerBound
        {
            last += 2
        }
        if let other = imports.add(module.text, line: module.line, isCertain: isCertain) {
            edits.replace(module.range, with: other)
        }
        if last > place + 1 { edits.blank(module.range.upperBound..<tokens[last].range.upperBound) }
        place = last
    }

    // MARK: Attributes

    private mutating func readAttribute(_ word: String) {
        let first = tokens[place]
        if let reason = Self.impossible[word] { report(first, "`@\(word)` cannot be copied: \(reason)") }
        if word == "convention", token(2)?.isSign("(") == true, token(3)?.text == "block" {
            report(first, "Objective-C's blocks cannot be copied: use a Swift closure")
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
        if word == "objc" { bindProtocol() }
    }

    /// Keeps an Objective-C protocol limited to classes, as every such protocol is: `weak var delegate: Delegate?`.
    private mutating func bindProtocol() {
        let modifiers: Set = ["public", "internal", "private", "fileprivate", "package", "open"]
        var next = place + 1
        while next < tokens.count, modifiers.contains(tokens[next].text) { next += 1 }
        guard next + 2 < tokens.count, tokens[next].isWord("protocol"), tokens[next + 1].kind == .word else { return }
        if tokens[next + 2].isSign("{") {
            edits.replace(tokens[next + 1].range, with: "\(tokens[next + 1].text): AnyObject")
        } else if tokens[next + 2].isSign(":"), next + 3 < tokens.count, !tokens[next + 3].isWord("AnyObject"),
            !tokens[next + 3].isWord("NSObjectProtocol"), !tokens[next + 3].isWord("class")
        {
            edits.replace(tokens[next + 2].range, with: ": AnyObject,")
        }
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
        imports.usesSelectors = true
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
