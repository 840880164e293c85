import AccessorySetupKit
import DiceApp
import HIL

extension Lab {
    /// Waits until the picker offers this many accessories and has exactly these lines below its title.
    func picker(offers count: Int, saying lines: String..., when moment: String) async throws {
        try await step("picker \(moment)", within: .seconds(15)) {
            let what = "a picker with \(count) accessories that says \(lines)"
            try await self.phone.shows(what, since: self.phone.screenMark) { screen in
                screen.kind == .picker && screen.entries.count == count && screen.lines == lines
            }
        }
    }
}
