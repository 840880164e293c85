import HILBench

/// Who has the phone in their hand, and answers.
enum HandPerson: Equatable {
    /// Somebody at the terminal, or at the page that the run serves.
    case atTerminal
    /// A program with a line for each question on its standard input, and one for each answer on its standard output.
    case program(String)
    /// A file with an answer in each line.
    case file(String)

    /// The options that name this person again.
    var options: [String] {
        switch self {
        case .atTerminal: []
        case .program(let command): ["--person", command]
        case .file(let path): ["--answers", path]
        }
    }
}

extension Arguments {
    /// Refuses what a phone in a person's hand cannot do, and persons without such a phone.
    static func checkHand(_ settings: Request.RunSettings) throws(UsageError) {
        guard case .hand(let accessory)? = settings.rig else {
            guard settings.person == .atTerminal else {
                throw UsageError(description: "--person and --answers are for a phone in a hand: --rig hand,ACCESSORY")
            }
            return
        }
        if accessory == nil {
            guard settings.person != .atTerminal else {
                throw UsageError(
                    description:
                        "no phone reaches a virtual accessory board: --rig hand,virtual needs --person PROGRAM, "
                        + "which is the phone and its person, or --answers FILE if no phone is used; a real phone "
                        + "needs a real board, --rig hand,pi-acc")
            }
        }
        if settings.pausesOnFailure {
            throw UsageError(
                description:
                    "--pause-on-failure and the person with the phone would read the same terminal: use one of them")
        }
        if settings.jobs ?? 1 > 1 {
            throw UsageError(description: "a person has one phone in their hand: --jobs is for other rigs")
        }
    }
}
