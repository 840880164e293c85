import HILRecord

/// The timeline of a running attempt.
package enum RunningTimeline {
    /// The content of a `timeline.json` for the events so far. Packets and logs of the boards come when the scenario
    /// has ended.
    ///
    /// - Parameter story: The lines of runner and worker about the attempt.
    package static func json(of scenario: String, story: [RunLine]) -> [UInt8] {
        var timeline = Timeline()
        timeline.add(story)
        return timeline.json(of: scenario)
    }
}
