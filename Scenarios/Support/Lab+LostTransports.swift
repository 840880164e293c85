import DiceApp
import HIL

extension Lab {
    /// Posts long notifications with these identifiers, one right after the other.
    func post(_ names: [String], words: Int) {
        let text = String(repeating: "die ", count: words)
        for name in names { phone.notifications.post(.message(name, "\(name): \(text)")) }
    }

    /// Records whether the die showed the notifications with these identifiers in order, each once.
    func expectShown(on die: Die, inOrder names: [String]) {
        expect(
            die.events.all(.screen).map { $0.map(\.identifier) }, equals: names.indices.map { Array(names[...$0]) },
            "the die showed them in order, each once")
    }
}
