// GAP: bonds, and the protection of values.
extension SIGCase {
    static let accessSecurity: [SIGCase] = [
        SIGCase("GAP/BOND/NBON/BV-01-C … BV-03-C", "pairing without a bond", not: .alwaysBonds),
        SIGCase("GAP/BOND/BON/BV-01-C", "as a peripheral the phone asks for a bond, which encrypts the next link"),
        SIGCase("GAP/BOND/BON/BV-02-C", "as a central the phone makes a bond, which encrypts the next link"),
        SIGCase("GAP/BOND/BON/BV-03-C", "as a peripheral the phone answers, and the bond encrypts the next link"),
        SIGCase("GAP/BOND/BON/BV-04-C", "as a central the phone is asked, and the bond encrypts the next link"),
        SIGCase("GAP/SEC/AUT/BV-11-C", "as a peripheral: a protected value is refused, then given after a pairing"),
        SIGCase("GAP/SEC/AUT/BV-12-C", "as a central: a protected value is refused, then given after a pairing"),
        SIGCase("GAP/SEC/AUT/BV-13-C", "as a central: an unauthenticated bond is not enough; a new pairing is"),
        SIGCase("GAP/SEC/AUT/BV-14-C", "as a peripheral: an unauthenticated bond is not enough; a new pairing is"),
        SIGCase("GAP/SEC/AUT/BV-17-C", "as a central and client: refused, paired by Just Works, and read"),
        SIGCase("GAP/SEC/AUT/BV-18-C", "as a peripheral and client: refused, paired by Just Works, and read"),
        SIGCase("GAP/SEC/AUT/BV-19-C", "as a central and client: the bond is tried before a new pairing"),
        SIGCase("GAP/SEC/AUT/BV-20-C", "as a peripheral and client: the person is asked before a new pairing"),
        SIGCase("GAP/SEC/AUT/BV-21-C", "as a central: the phone says that the bond is lost"),
        SIGCase("GAP/SEC/AUT/BV-22-C", "as a peripheral: the phone says that the bond is lost"),
        SIGCase("GAP/SEC/AUT/BV-23-C", "as a peripheral with a bond: refused on a plain link, given once encrypted"),
        SIGCase("GAP/SEC/AUT/BV-24-C", "as a central with a bond: refused on a plain link, given once encrypted"),
        SIGCase(
            "GAP/SEC/AUT/BV-25-C", "as a central: after a failed encryption there is no new pairing without the person",
            not: .endsWithoutBond),
        SIGCase("GAP/SEC/AUT/BV-26-C", "as a peripheral: after a failed encryption the person is asked"),
        SIGCase("GAP/SEC/AUT/BV-27-C", "as BV-25, after Insufficient Encryption", not: .endsWithoutBond),
        SIGCase("GAP/SEC/AUT/BV-28-C", "as BV-26, after Insufficient Encryption"),
        SIGCase("GAP/SEC/CSIGN/*", "signed data", not: .signing),
        SIGCase("GAP/SEC/SEM/BV-21-C", "as a peripheral: a level 4 link to a value of the central"),
        SIGCase("GAP/SEC/SEM/BV-22-C", "as a peripheral: a level 4 link to the phone's value"),
        SIGCase("GAP/SEC/SEM/BV-26-C", "as a central: a level 4 link to a value of the peripheral"),
        SIGCase("GAP/SEC/SEM/BV-27-C", "as a central: a level 4 link to the phone's value"),
        SIGCase("GAP/SEC/SEM/BV-23-C … BV-25-C", "Secure Connections Only as a peripheral", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BV-28-C … BV-30-C", "Secure Connections Only as a central", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BV-37-C … BV-44-C", "Secure Connections Only, levels 2 and 3", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-09-C", "level 4 as a peripheral: a key that is too short", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-20-C", "level 3 as a peripheral: a key that is too short", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-21-C", "level 2 as a peripheral: a key that is too short", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-10-C", "level 4 as a central: a key that is too short", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-22-C", "level 3 as a central: a key that is too short", not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BI-23-C", "level 2 as a central: a key that is too short", not: .secureOnly),
        SIGCase(
            "GAP/SEC/SEM/BV-45-C", "as a central: a bond that does not encrypt ends the attempt, and the phone says so"),
        SIGCase(
            "GAP/SEC/SEM/BV-56-C … BV-57-C", "as a peripheral: an indication before encryption",
            not: .valuesBeforeEncryption),
        SIGCase(
            "GAP/SEC/SEM/BV-59-C … BV-60-C", "as a peripheral: a notification before encryption",
            not: .valuesBeforeEncryption),
        SIGCase(
            "GAP/SEC/SEM/BV-62-C … BV-63-C", "as a central: an indication before encryption",
            not: .valuesBeforeEncryption),
        SIGCase(
            "GAP/SEC/SEM/BV-65-C … BV-66-C", "as a central: a notification before encryption",
            not: .valuesBeforeEncryption),
        SIGCase(
            "GAP/SEC/SEM/BV-58-C, BV-61-C, BV-64-C, BV-67-C", "values before encryption, Secure Connections Only",
            not: .secureOnly),
        SIGCase("GAP/SEC/SEM/BV-02-C … BV-20-C", "security modes of BR/EDR", not: .classic),
        SIGCase("GAP/SEC/SEM/BV-46-C … BV-55-C", "security modes of BR/EDR with a bond", not: .classic),
        SIGCase("GAP/SEC/SEM/BI-01-C … BI-08-C", "key sizes of BR/EDR", not: .classic),
        SIGCase("GAP/SEC/SEM/BI-11-C … BI-12-C", "key sizes of BR/EDR", not: .classic),
        SIGCase("GAP/SEC/SEM/BI-14-C … BI-19-C", "key sizes of BR/EDR", not: .classic),
        SIGCase(
            "GAP/SEC/SEM/BI-24-C … BI-33-C", "channels of BR/EDR on links that are not encrypted enough", not: .classic),
        SIGCase("GAP/SEC/SEM/BV-31-C … BV-35-C", "protection of broadcasts", not: .notBroadcast),
        SIGCase("GAP/SEC/SEM/BI-13-C", "protection of broadcasts", not: .notBroadcast),
        SIGCase("GAP/SEC/SEM/BV-69-C … BV-76-C", "protection of channel sounding", not: .notBroadcast),
    ]
}
