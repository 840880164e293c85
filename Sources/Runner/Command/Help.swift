import VirtualRig

/// The text of `hil --help`.
enum Help {
    static let version = "0.1.0"

    static let text = """
        hil \(version): runs an accessory and a simulated phone against each other, on two boards

        usage: hil run [PATTERN…] [FILTER…] [OPTION…]
               hil list [PATTERN…] [FILTER…] [--out DIR] [--format text|json]
               hil rules [RULE…] [--check] [--out DIR] [--format text|json]
               hil check --app DIR [--format text|json]
               hil capture RUN/SCENARIO [OPTION OF TSHARK…]
               hil tap [DISPLAY-FILTER]
               hil open RUN/SCENARIO [--shell host|accessory] [--out DIR]
               hil shell host|accessory [--rig NAME] [-- COMMAND…]
               hil setup
               hil doctor

        commands
          run      runs scenarios, all of them without a pattern
          list     shows the scenarios: name, tags, title
          rules    lists the phone's rules, what covers each, and how that went last; with names (K3) or families (K)
                   of rules every test and scenario; --check exits with 1 if one that is to be covered is not, or fails
          check    tells what is wrong with an app's Info.plist, entitlements and product pictures, needs no rig, and
                   exits with 1 if anything is
          capture  shows a scenario's packets through tshark, Wi-Fi decrypted: hil capture latest/NAME -Y btatt
          tap      shows live what goes over the air of a running rig, or of the next ones: when, who, what
          open     brings both boards of a failed scenario back as they were at that moment; RUN may be latest
          shell    a root shell on a board of a running rig, or of fresh boards; or one command there
          setup    makes what the virtual rig needs and lacks: board image, RootCanal, snapshot
          doctor   shows what is here, what is missing, and how to mend it

        A pattern is a part of a scenario's name or title, or the whole of one with * and ?; upper and lower
        case are the same. A full name chooses only what bears it. Several patterns choose what any of them
        matches; patterns and filters together choose what all of them leave.

        filters
          --tag TAGS         by tags with and, or, not and parentheses: --tag "smoke and not wifi"
          --where NAME=VALUE only these cases of a matrix: --where security=wpa3
          --last-failed      only what failed, or met an error of the rig, when it ran last
          --shard I/N        every N-th scenario of what is left, beginning with number I

        Scenarios run in the order of the list; on several rigs those that took longest in earlier runs begin
        first, and new ones before them.

        options
          --jobs N        that many rigs side by side; by default one for every core, as memory carries
          --shuffle [N]   in an order drawn by a seed, which is printed; with that seed again the same order
          --repeat N      run everything N times, round by round
          --until-fail    run everything again and again until something does not pass; at most --repeat times
          --dry-run       tell what would run, in order, and start nothing
          --retries N     run again, at most N times, what did not pass; every attempt is kept
          --budget TIME   how long the run may take, such as 30min; by default all that its scenarios may, and 90 s each
          --strict        exit with 3 when a scenario passed only on a retry
          --keep LIMIT    keep at most so many runs, or so much: 20, 2GiB or both, as it is without; or all
          --no-build      run the program as it is, though its sources are newer (for list, rules and setup as well);
                          else it is built first, and a build that fails ends the command with 2
          --no-keys       keep no Wi-Fi keys beside the captures
          --out DIR       where the run's folder is made; by default results/ beside Package.swift
          --pause-on-failure
                          keep the rig of a failed scenario as it is until Enter is pressed
          --no-snapshots  keep no boards; else the first 5 failures of a run keep both as they were, for hil open
          --format json   one event a line, the same as in events.jsonl
          --version       the version of hil

        exit codes
          0    every scenario passed, was skipped for what the rig lacks, or is in quarantine
          1    a scenario failed: the accessory or the app did wrong
          2    the rig did wrong, or something is missing: nothing is known of the product
          3    a scenario is flaky, and --strict was given
          64   the command line is wrong
          130  interrupted (143 by SIGTERM, 129 by SIGHUP); what had finished is reported

        environment
          HIL_CACHE   the folder of image, snapshot and RootCanal; by default ~/.cache/hil; beside it,
                      /var/tmp and the results a first set-up and a run need \(DiskNeed.whole) MB of disk in all
          HIL_NO_BUILD  1 is as --no-build, without a word
          HIL_ROOT    the folder of Package.swift, when hil is not run inside it
        """
}
