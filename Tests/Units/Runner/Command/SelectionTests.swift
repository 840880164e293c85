import Foundation
import HIL
import HILExecution
import Testing

@testable import HILCommand

@Suite("The scenarios that a command line selects")
struct SelectionTests {
    @Test("A first run of everything begins with the smoke scenarios; chosen scenarios keep their order")
    func firstRun() throws {
        func named(_ name: String, _ tag: HIL.Tag) -> NamedScenario {
            NamedScenario(name, file: "S.swift", Scenario("The \(name)", .tags(tag)) { _ in })
        }
        let plan = try Plan([named("cloud", .wifi), named("lamp", .smoke)])
        var choice = Request.Choice(out: "/nowhere/\(UUID())")
        #expect(try order(choice, plan) == ["lamp", "cloud"])
        choice.filter.patterns = ["cloud", "lamp"]
        #expect(try order(choice, plan) == ["cloud", "lamp"])
    }

    private func order(_ choice: Request.Choice, _ plan: Plan) throws -> [String] {
        try Selection(choice, of: plan, Request.RunSettings()).agenda.beginning.map(\.identifier)
    }
}
