import Testing

@testable import HILAudit

@Suite("The table of an audit's controls")
struct AuditControlTests {
    @Test("Every clause that a control refers to is in its catalogue, and every catalogue names its source")
    func clauses() {
        for control in AuditControl.all {
            #expect(!control.clauses.isEmpty, "\(control.name)")
            for clause in control.clauses { #expect(clause.title != nil, "\(control.name): \(clause)") }
        }
        for catalogue in AuditClause.Catalogue.allCases { #expect(catalogue.source.hasPrefix("https://")) }
    }

    @Test("Each of the 36 controls of BSAM is accounted for once")
    func bsam() {
        let numbers = AuditControl.all.flatMap(\.clauses).filter { $0.catalogue == .bsam }.map(\.number)
        #expect(numbers.count == 36 && Set(numbers) == Set(AuditClause.Catalogue.bsam.titles.keys))
    }

    @Test("Names are unique, and a family or one name chooses")
    func names() {
        #expect(Set(AuditControl.all.map(\.name)).count == AuditControl.all.count)
        #expect(AuditControl.named("pairing.legacy").map(\.sentence) == ["It refuses legacy pairing"])
        #expect(AuditControl.named("air").map(\.family) == AuditControl.air.map(\.family))
        #expect(AuditControl.named("ground").isEmpty)
    }

    @Test("What is out of reach says why, and what to do instead")
    func reach() {
        for control in AuditControl.all {
            guard case .outOfReach(let why, let instead) = control.reach else { continue }
            #expect(!why.isEmpty && !instead.isEmpty, "\(control.name)")
        }
        #expect(AuditControl.paper.allSatisfy { $0.reach != .here })
    }
}
