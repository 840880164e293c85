/// What `hil --help` says.
enum Help {
    static let version = "0.1.0"

    static let text = """
        hil \(version): runs an accessory and a simulated phone against each other, on two boards

        usage: hil run [PATTERN…] [--tag TAG] [--out DIR] [--format text|json]
               hil list [PATTERN…] [--tag TAG] [--format text|json]
               hil setup
               hil doctor

        commands
          run      runs scenarios, all of them without a pattern
          list     shows the scenarios: name, tags, title
          setup    makes what the virtual rig needs and lacks: board image, RootCanal, snapshot
          doctor   shows what is here, what is missing, and how to mend it

        A pattern is a part of a scenario's name or title, or the whole of one with * and ?; upper and lower
        case are the same. Several patterns, or tags, choose what any of them matches.

        options
          --tag TAG       only scenarios with this tag
          --out DIR       where the run's folder is made; by default results/ beside Package.swift
          --format json   one event a line, the same as in events.jsonl
          --version       the version of hil

        exit codes
          0    every scenario passed
          1    a scenario failed: the accessory or the app did wrong
          2    the rig did wrong, or something is missing: nothing is known of the product
          64   the command line is wrong
          130  interrupted (143 by SIGTERM, 129 by SIGHUP); what had finished is reported

        environment
          HIL_CACHE   the folder of image, snapshot and RootCanal; by default ~/.cache/hil
          HIL_ROOT    the folder of Package.swift, when hil is not run inside it
        """
}
