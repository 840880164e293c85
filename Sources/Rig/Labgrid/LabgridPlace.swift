/// A place of a labgrid coordinator, as `hil bench list` shows it.
package struct LabgridPlace: Sendable, Hashable, Codable {
    /// The holder of a place, or who has reserved it.
    package struct Holder: Sendable, Hashable, Codable {
        package var host: String
        package var user: String
        /// The name of the hil job; nil for any other holder.
        package var job: String?
        /// Whether that job still runs; nil if this machine cannot see that.
        package var runs: Bool?

        package init(host: String, user: String, job: String? = nil, runs: Bool? = nil) {
            (self.host, self.user, self.job, self.runs) = (host, user, job, runs)
        }
    }

    /// The boards of a place.
    package struct Boards: Sendable, Hashable, Codable {
        /// The name by which ssh reaches the host board.
        package var host: String
        /// The name of the accessory board; nil if the accessory has no login.
        package var accessory: String?
        /// The boards whose power labgrid can switch: `host`, `accessory`.
        package var power: [String]

        package init(host: String, accessory: String?, power: [String] = []) {
            (self.host, self.accessory, self.power) = (host, accessory, power)
        }
    }

    package var name: String
    package var comment: String
    package var tags: [String: String]
    package var aliases: [String]
    /// nil if it is free.
    package var holder: Holder?
    /// When it was taken, in seconds since 1970; nil if it is free.
    package var since: Double?
    /// Who has reserved it, if it is free.
    package var reserved: Holder?
    /// Nil if it cannot be used as a bench.
    package var boards: Boards?
    /// Why it cannot be used as a bench.
    package var problem: String?

    /// Whether its accessory is a device without a login.
    package var isWithoutAccessory: Bool { tags["accessory"] == "none" }

    package init(
        name: String, comment: String = "", tags: [String: String] = [:], aliases: [String] = [], holder: Holder? = nil,
        since: Double? = nil, reserved: Holder? = nil, boards: Boards? = nil, problem: String? = nil
    ) {
        (self.name, self.comment, self.tags, self.aliases) = (name, comment, tags, aliases)
        (self.holder, self.since, self.reserved, self.boards) = (holder, since, reserved, boards)
        self.problem = problem
    }
}

extension LabgridPlace.Holder: CustomStringConvertible {
    /// `kim on ci-3 (hil job nightly)`.
    package var description: String {
        let end = runs == false ? ", which no longer runs" : ""
        return "\(user) on \(host)" + (job.map { " (hil job \($0)\(end))" } ?? "")
    }
}

/// The result of releasing a place.
package struct LabgridRelease: Sendable, Hashable, Codable {
    package var place: String
    /// The former holder; nil if it was free.
    package var holder: LabgridPlace.Holder?
    package var released: Bool

    package init(place: String, holder: LabgridPlace.Holder?, released: Bool) {
        (self.place, self.holder, self.released) = (place, holder, released)
    }
}
