import Foundation

/// The table of all runs of the benchmark, with a row per run and a column per measurement.
struct History {
    let path: String

    private static let loop = "plain loop, median of those beside the rows [ms]"

    /// Adds a row: time, machine, and the medians. A new measurement gets a new column, which is empty in earlier rows.
    func append(_ measurements: [Measurement]) throws {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        var rows = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        var columns = rows.isEmpty ? ["time", "machine"] : rows.removeFirst().map { String($0) }
        var row = ["time": Date().ISO8601Format(), "machine": BenchmarkMachine.here.description]
        let loops = measurements.compactMap(\.loop)
        if !loops.isEmpty {
            if !columns.contains(History.loop) { columns.append(History.loop) }
            row[History.loop] = String(format: "%.1f", median(loops))
        }
        for measurement in measurements {
            let column = "\(measurement.name) [\(measurement.unit)]"
            if !columns.contains(column) { columns.append(column) }
            row[column] = String(format: "%.2f", median(measurement.samples))
        }
        let lines =
            [columns] + rows.map { $0.map { String($0) } + Array(repeating: "", count: columns.count - $0.count) }
            + [columns.map { row[$0] ?? "" }]
        let table = lines.map { $0.joined(separator: "\t") + "\n" }.joined()
        try table.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
