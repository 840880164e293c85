/// What came of a stranger's repetitions of all that an accessory's owner wrote.
struct RepeatedWrites {
    private var count = 0
    private var obeyed: [String] = []
    /// What was obeyed or not refused, of what anybody may write.
    private var meant: [String] = []
    private var unseen: [String] = []

    /// - Parameters:
    ///   - what: What was written: `40 bytes to FF01`.
    ///   - isMeant: Whether anybody may write it, and needs no signature.
    mutating func add(_ what: String, isMeant: Bool, _ outcome: RepeatedWrite.Outcome) {
        count += 1
        if case .refused = outcome { return }
        guard !isMeant else { return meant.append(what) }
        switch outcome {
        case .refused: break
        case .obeyed(let how): obeyed.append("\(what) (\(how))")
        case .unseen: unseen.append(what)
        }
    }

    /// For the story.
    var words: String {
        let refused = count - obeyed.count - meant.count - unseen.count
        return "a stranger repeated \(count) writes of its owner: \(refused) were refused, \(obeyed.count) obeyed, of "
            + "\(unseen.count) nothing shows whether they were, and \(meant.count) are for anybody, as declared"
    }

    var finding: AuditFinding {
        if !obeyed.isEmpty {
            return .breached("a stranger who repeats what its owner wrote is obeyed: \(obeyed.joined(separator: ", "))")
        }
        if !unseen.isEmpty {
            return .outOfReach(
                "a stranger repeated what its owner wrote, and it did not refuse \(unseen.joined(separator: ", ")): nothing "
                    + "shows whether it obeyed",
                instead:
                    "let it answer what it does not obey with an error, and print a line, or change a value that anybody "
                    + "can read, when it obeys")
        }
        if !meant.isEmpty {
            return .doesNotApply(
                "it takes \(meant.joined(separator: ", ")) from anybody, as declared; if its owner's app signs that, declare "
                    + "`signed:` in place of `open:`")
        }
        return count > 0 ? .holds : .doesNotApply("its owner wrote no value")
    }
}
