/// A clause of a public catalogue of requirements, as far as an audit refers to it.
///
/// An audit gives evidence for a clause, never a certificate.
package struct AuditClause: Sendable, Hashable {
    /// Where a clause stands.
    package enum Catalogue: String, Sendable, Hashable, CaseIterable {
        /// Tarlogic's Bluetooth Security Assessment Methodology, CC BY 4.0.
        case bsam = "BSAM"
        /// The harmonised standards of the Radio Equipment Directive, parts 1 and 2.
        case radioEquipment = "EN 18031"
        /// Cyber security for consumer Internet of Things.
        case consumer = "EN 303 645"

        /// Where the clauses of ``titles`` come from.
        package var source: String {
            switch self {
            case .bsam: "https://www.tarlogic.com/bsam/controls/"
            case .radioEquipment: "https://docs.zephyrproject.org/latest/security/standards/en-18031.html"
            case .consumer:
                "https://www.etsi.org/deliver/etsi_en/303600_303699/303645/02.01.01_60/en_303645v020101p.pdf"
            }
        }

        /// What each clause asks for, in a few words of ours, by its number.
        package var titles: [String: String] {
            switch self {
            case .bsam: AuditClause.bsamTitles
            case .radioEquipment: AuditClause.radioEquipmentTitles
            case .consumer: AuditClause.consumerTitles
            }
        }
    }

    package let catalogue: Catalogue
    /// The number in its catalogue: `PA-04`, `ACM-2`, `5.5-1`.
    package let number: String

    package init(_ catalogue: Catalogue, _ number: String) { (self.catalogue, self.number) = (catalogue, number) }

    /// What it asks for; nil if its catalogue has no such clause.
    package var title: String? { catalogue.titles[number] }
}

extension AuditClause: CustomStringConvertible {
    /// `BSAM-PA-04`, `EN 18031 ACM-2`.
    package var description: String { catalogue == .bsam ? "BSAM-\(number)" : "\(catalogue.rawValue) \(number)" }
}

extension AuditClause {
    /// All 36 controls of BSAM.
    fileprivate static let bsamTitles = [
        "IG-01": "life cycle of the controller", "IG-02": "known weaknesses of the controller",
        "IG-03": "known weaknesses of the host stack", "IG-04": "known weaknesses of the Bluetooth version",
        "DI-01": "modes of operation", "DI-02": "strength of the signal", "DI-03": "generic device name",
        "DI-04": "sensitive data in advertisements", "DI-05": "discoverable by default", "DI-06": "random address",
        "PA-01": "pairable by default", "PA-02": "input and output capabilities", "PA-03": "out-of-band channel",
        "PA-04": "legacy pairing refused", "PA-05": "pairing without an act of a person", "PA-06": "known PINs",
        "PA-07": "predictable PINs", "PA-08": "removal of keys", "PA-09": "length of PINs", "PA-10": "storage of keys",
        "AU-01": "role switch before authentication", "AU-02": "mutual authentication",
        "AU-03": "forced disconnection", "EN-01": "role switch before encryption", "EN-02": "encryption forced",
        "EN-03": "size of encryption keys", "SE-01": "hidden SDP services", "SE-02": "hidden GATT services",
        "SE-03": "access to services", "AP-01": "updates of the controller", "AP-02": "updates of the stack",
        "AP-03": "updates of the application", "AP-04": "signed updates", "AP-05": "replay",
        "AP-06": "injected packets", "AP-07": "secure services",
    ]

    /// The requirements of EN 18031-1 and -2, without those for toys, logs and network equipment.
    fileprivate static let radioEquipmentTitles = [
        "ACM-1": "where access control is needed", "ACM-2": "appropriate access control",
        "AUM-1-1": "authentication on network interfaces", "AUM-1-2": "authentication on user interfaces",
        "AUM-2-1": "one factor", "AUM-2-2": "two factors", "AUM-3": "validation of authenticators",
        "AUM-4": "change of authenticators", "AUM-5-1": "factory passwords", "AUM-5-2": "other passwords",
        "AUM-6": "protection against brute force", "SUM-1": "updates", "SUM-2": "secure updates",
        "SUM-3": "automatic updates", "SSM-1": "where secure storage is needed", "SSM-2": "integrity of storage",
        "SSM-3": "confidentiality of storage", "SCM-1": "where secure communication is needed",
        "SCM-2": "integrity and authenticity of communication", "SCM-3": "confidentiality of communication",
        "SCM-4": "protection against replay", "RLM-1": "resilience", "DLM-1": "deletion",
        "CCK-1": "strength of keys", "CCK-2": "generation of keys", "CCK-3": "no static default keys",
        "GEC-1": "no known exploitable weaknesses", "GEC-2": "no more services exposed than needed",
        "GEC-3": "configuration of optional services", "GEC-4": "documentation of exposed interfaces",
        "GEC-5": "no unnecessary external interfaces", "GEC-6": "validation of input",
        "GEC-7": "documentation of sensors", "GEC-8": "integrity of the equipment",
        "CRY-1": "best practice cryptography",
    ]

    /// The provisions of EN 303 645 V2.1.1 that are about what a device does.
    fileprivate static let consumerTitles = [
        "5.1-1": "passwords unique or the user's", "5.1-2": "generated passwords resist automated attacks",
        "5.1-3": "best practice cryptography for users' authentication", "5.1-4": "authentication can be changed",
        "5.1-5": "brute force impracticable", "5.3-2": "secure updates", "5.3-7": "cryptography of updates",
        "5.3-10": "updates verified", "5.4-1": "secrets stored securely", "5.4-3": "no secrets in source code",
        "5.4-4": "critical parameters unique", "5.5-1": "best practice cryptography to communicate",
        "5.5-4": "access only after authentication", "5.5-5": "configuration only after authentication",
        "5.5-6": "critical parameters encrypted in transit",
        "5.5-7": "confidential over remotely accessible interfaces", "5.5-8": "management of critical parameters",
        "5.6-1": "unused interfaces off", "5.6-2": "no security-relevant information without authentication",
        "5.6-5": "only needed services", "5.8-1": "personal data confidential in transit",
        "5.8-2": "sensitive personal data confidential in transit", "5.9-1": "resilience to outages",
        "5.9-2": "local function and clean recovery", "5.9-3": "orderly connections",
        "5.11-1": "user data erased easily", "5.13-1": "validation of input",
    ]
}
