/// A test case of the Bluetooth SIG for a Bluetooth host, or a group of such cases.
///
/// The names are those of the SIG's test suites SM, GATT, L2CAP and GAP; the words are ours, and short. A unit test
/// says which case it shows; `hil rules --sig` lists all of them.
///
/// Source: the test suites for SM (p30), GATT, GAP and L2CAP. The lists of BlueZ (doc/qualification) and auto-pts have
/// the same names.
package struct SIGCase: Sendable, Hashable, Identifiable {
    /// Why a case does not apply to the phone, or why the phone does something else.
    package enum Absence: String, Sendable, Hashable {
        case outOfBand = "there is no out-of-band data: neither apps nor accessories can give it to the phone"
        case signing = "the phone has no signing key, since iOS 8.2"
        case crossTransport2 = "the phone does not set CT2, the bit for the function h7"
        case classicPairing = "the phone pairs over LE only; classic Bluetooth has its link key from there"
        case classic = "BR/EDR: the phone uses it for bridging only"
        case laterCore = "it is for Core 6.2 and later; the phone follows an earlier version"
        case secureOnly = "the phone has no Secure Connections Only mode: it accepts legacy pairing"
        case multipleBearers = "the phone has one ATT bearer for each link, and no EATT"
        case robustCaching = "an iPhone has neither Client Supported Features nor a Database Hash"
        case clientFeatures = "the phone sets no Client Supported Features of a server"
        case serviceDiscoveryProtocol = "the phone discovers services by GATT only, without SDP"
        case noInterface = "no interface for apps leads to this request"
        case appReads = "apps interpret the value, not the phone"
        case descriptorsOfApps = "the descriptors that apps can add are descriptions and presentation formats"
        case allServices = "an iPhone reads all services, and picks the wanted ones itself"
        case enhancedChannels = "an iPhone has no enhanced credit-based channels; it rejects their commands as unknown"
        case advertisesConnectable = "the phone advertises for connections only, with general discoverable mode"
        case bothTransports = "the phone has BR/EDR too, and says so in the flags that it advertises"
        case noFlagFilter = "the phone tells apps of every advertisement, whatever its flags"
        case notDirected = "apps cannot make the phone advertise to one device"
        case noAcceptList = "the phone calls one device at a time, without the controller's filter accept list"
        case keepsParameters = "as a peripheral the phone leaves connection parameters to the central"
        case controller = "the controller answers, without its host"
        case alwaysBonds = "the phone is always bondable"
        case noAppContent = "apps may advertise a name and services only"
        case appName = "an app's name is advertised, which is not the phone's Device Name"
        /// Apple's Accessory Design Guidelines, 40.3: “ADV_DIRECT_IND should not be used.”
        case notDirectedTo =
            "the phone calls from private addresses, without Central Address Resolution: nobody can advertise to it alone"
        case endsWithoutBond = "the phone ends the link; a new pairing needs the person, who forgets the device first"
        case valuesBeforeEncryption =
            "the phone gives apps values of a bonded device before encryption; nothing shows what an iPhone does"
        case noSuchValue = "the phone's Generic Access service does not have it"
        case notBroadcast = "the phone has no periodic advertising, isochronous channels, subrating or channel sounding"

        /// Whether the case would apply, but the phone does something else.
        package var isOpen: Bool { self == .valuesBeforeEncryption }
    }

    /// `SM/CEN/PROT/BV-01-C`; for a group of cases that do not apply, its beginning: `GAP/PADV/*`.
    package let id: String
    /// What it checks, in a few words.
    package let text: String
    /// Nil if it applies.
    package let absence: Absence?

    init(_ id: String, _ text: String, not absence: Absence? = nil) {
        self.id = id
        self.text = text
        self.absence = absence
    }

    /// Every case, in the order of the protocols from SMP to GAP.
    package static let all: [SIGCase] =
        pairing + secureConnections + attributeClient + attributeServerReads + attributeServerWrites + channels
        + access + accessSecurity

    /// A case that applies; nil for an unknown one, and for one that does not apply.
    package static func applicable(_ id: String) -> SIGCase? { byName[id] }

    private static let byName = Dictionary(all.filter { $0.absence == nil }.map { ($0.id, $0) }) { first, _ in first }
}
