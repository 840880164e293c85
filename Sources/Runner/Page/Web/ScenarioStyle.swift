extension PageStyle {
    /// The view of one scenario.
    static let scenario = #"""
        .back {
          display: inline-flex; align-items: center; gap: 6px; color: var(--quiet); text-decoration: none;
          font-size: 0.9rem; margin-bottom: 16px;
        }
        .back:hover { color: var(--ink); }
        .scenario-title { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 16px; }
        .scenario-title h1 { font-size: clamp(1.35rem, 1.1rem + 1vw, 1.9rem); flex: 1 1 300px; }
        .scenario-line { margin: 8px 0 10px; font-size: 0.93rem; }

        .problem {
          display: flex; gap: 14px; margin-top: 16px; padding: 16px 20px; border-radius: 14px;
          background: var(--failed-soft);
        }
        .problem[data-kind="rig"] { background: var(--error-soft); }
        .problem > .sign { color: var(--failed); width: 22px; height: 22px; }
        .problem[data-kind="rig"] > .sign { color: var(--error); }
        .problem > div { min-width: 0; }
        .problem-first { font-weight: 600; font-size: 1.05rem; line-height: 1.4; }
        .problem pre { margin-top: 8px; max-height: 260px; overflow: auto; }
        .problem-foot {
          display: flex; flex-wrap: wrap; gap: 2px 16px; margin-top: 6px; font-size: 0.87rem; color: var(--ink-soft);
          align-items: baseline;
        }
        .tag.finding { background: var(--card); }
        .lead {
          margin-top: 14px; padding: 14px 20px; border: 1px solid var(--line); border-radius: 14px;
          background: var(--card);
        }
        .lead h4 { margin-bottom: 6px; }
        .lead .event-row { font-size: 0.9rem; box-sizing: border-box; margin: 0; }
        .commands { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 20px; }

        .attempts { display: flex; flex-wrap: wrap; gap: 10px; margin: 20px 0; }
        .attempt {
          display: flex; gap: 12px; align-items: flex-start; flex: 1 1 260px; max-width: 460px; padding: 12px 14px;
          border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: inherit;
          text-decoration: none;
        }
        .attempt[aria-current] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
        .attempt-text { display: flex; flex-wrap: wrap; gap: 0 10px; min-width: 0; }
        .attempt-cause {
          flex-basis: 100%; font-size: 0.87rem; color: var(--ink-soft); display: -webkit-box; -webkit-line-clamp: 2;
          -webkit-box-orient: vertical; overflow: hidden;
        }

        .segments { display: inline-flex; }
        .segments button { border-radius: 0; margin-left: -1px; font-size: 0.87rem; }
        .segments button:first-child { border-radius: 8px 0 0 8px; }
        .segments button:last-child { border-radius: 0 8px 8px 0; }
        .segments [aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); }
        .storyboard {
          display: flex; gap: 18px; overflow-x: auto; padding: 4px 4px 14px; margin: 0 -4px;
          scroll-snap-type: x proximity;
        }
        .frame-shot {
          flex: none; width: 132px; padding: 0; border: 0; background: none; text-align: left; display: flex;
          flex-direction: column; gap: 2px; scroll-snap-align: start; font-size: 0.83rem; line-height: 1.35;
        }
        :root[data-screens="both"] .frame-shot { width: 212px; }
        :root[data-screens="both"] .screen { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; }
        .frame-shot .screen { margin-bottom: 6px; }
        .frame-shot .screen.none {
          aspect-ratio: 393 / 852; display: grid; place-items: center; border: 1px dashed var(--line);
          border-radius: 12px; color: var(--quiet);
        }
        .frame-shot[aria-current] .screen img { box-shadow: 0 0 0 2.5px var(--accent); }
        .frame-shot[aria-current] .shot-title { color: var(--accent); }
        .shot-title { font-weight: 550; }

        .tools { display: inline-flex; gap: 6px; }
        .tools button { font-size: 0.87rem; }
        .lanes {
          display: grid; grid-template-columns: 124px minmax(0, 1fr); border: 1px solid var(--line);
          border-radius: 14px; background: var(--card); overflow: hidden; font-family: inherit; box-sizing: content-box;
        }
        .lane-names {
          position: relative; border-right: 1px solid var(--line); font-size: 0.83rem; color: var(--ink-soft);
        }
        .lane-names span {
          position: absolute; left: 14px; right: 6px; display: flex; align-items: center; line-height: 1.15;
        }
        .plot { position: relative; min-width: 0; }
        .lanes-canvas { display: block; touch-action: pan-y; cursor: crosshair; }
        .lanes-canvas:focus-visible { outline-offset: -2px; }
        .tip {
          position: absolute; z-index: 3; max-width: min(360px, 90%); padding: 7px 11px; border-radius: 9px;
          background: var(--ink); color: var(--page); font-size: 0.83rem; line-height: 1.4; pointer-events: none;
        }
        .tip .quiet { color: inherit; opacity: 0.7; }

        .moment { margin-top: 16px; }
        .moment-title { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin-bottom: 12px; }
        .moment-event { display: inline-flex; gap: 8px; align-items: baseline; min-width: 0; font-size: 0.93rem; }
        .permalink { font-size: 0.87rem; }
        .moment-grid {
          display: grid; grid-template-columns: 200px minmax(0, 1.1fr) minmax(0, 1fr) minmax(0, 1fr); gap: 14px;
          align-items: stretch;
        }
        .moment-box {
          margin: 0; padding: 14px 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--card);
          min-width: 0;
        }
        .moment-stack { display: grid; gap: 14px; grid-template-rows: auto 1fr; min-width: 0; }
        .moment-head {
          display: flex; justify-content: space-between; gap: 10px; margin-bottom: 8px; font-size: 0.83rem;
        }
        .before-app { margin-top: 10px; font-size: 0.83rem; }
        .moment-phone.past { opacity: 0.55; max-width: 120px; margin: 6px 0 0; }
        .moment-phone { max-width: 220px; margin: 0 auto; }
        :root[data-screens="both"] .moment-phone .screen { grid-template-columns: 1fr; }
        .wait { display: grid; grid-template-columns: 1fr auto; gap: 2px 10px; font-size: 0.9rem; margin-bottom: 8px; }
        .wait .meter { grid-column: 1 / -1; }
        .wait[data-late] { --step-line: var(--failed); }
        .wait-end { display: flex; gap: 8px; font-size: 0.9rem; line-height: 1.45; }
        .wait-end .sign { color: var(--failed); margin-top: 3px; }
        .meter {
          display: block; height: 7px; border-radius: 4px; background: var(--line-soft); overflow: hidden;
          align-self: center; width: var(--room, 100%);
        }
        .meter span { display: block; height: 100%; border-radius: 4px; background: var(--step-line); }

        .event-row, .same-row {
          display: flex; gap: 8px; align-items: baseline; width: 100%; padding: 2px 6px; margin: 0 -6px; border: 0;
          border-radius: 6px; background: none; text-align: left; font-size: 0.83rem; line-height: 1.5;
          color: var(--ink); text-decoration: none; box-sizing: content-box;
        }
        .event-row:hover, a.same-row:hover { background: var(--stripe); }
        .event-row[data-now="later"] { color: var(--quiet); }
        .event-row[data-now="yes"] { background: var(--accent-soft); box-shadow: inset 2px 0 var(--accent); }
        .event-row[data-bad] .event-text, .same-row[data-bad] .event-text { color: var(--failed); font-weight: 600; }
        .event-time {
          flex: none; width: 66px; color: var(--quiet); font-variant-numeric: tabular-nums; text-align: right;
          white-space: nowrap;
        }
        .event-text { min-width: 0; white-space: pre-line; }
        .lane-tag {
          flex: none; font-size: 0.73rem; font-weight: 600; color: var(--lane, var(--quiet)); white-space: nowrap;
        }
        .lane-tag[data-lane="person"] { --lane: var(--lane-person); }
        .lane-tag[data-lane="phone"] { --lane: var(--lane-phone); }
        .lane-tag[data-lane="app"] { --lane: var(--lane-app); }
        .lane-tag[data-lane="accessory"] { --lane: var(--lane-accessory); }
        .lane-tag[data-lane="air"] { --lane: var(--lane-air); }
        .lane-tag[data-lane="bluetooth"] { --lane: var(--lane-bluetooth); }
        .lane-tag[data-lane="wifi"] { --lane: var(--lane-wifi); }
        .frame { flex: none; width: 44px; color: var(--quiet); font: 0.75rem var(--mono); }
        .log + .log { margin-top: 10px; }
        .log .event-text { font-family: var(--mono); font-size: 0.76rem; }
        .moment-box .command { margin-top: 12px; width: 100%; }

        .steps, .expectations { display: grid; margin-top: 10px; }
        .step {
          display: grid; grid-template-columns: 18px minmax(0, 1.2fr) minmax(60px, 1fr) 128px; gap: 2px 12px;
          align-items: center; padding: 8px 6px; border-bottom: 1px solid var(--line-soft); color: inherit;
          text-decoration: none; font-size: 0.93rem;
        }
        .step:hover, .expectation:hover { background: var(--stripe); }
        .step > .sign { color: var(--passed); }
        .step:not([data-outcome="done"]) > .sign { color: var(--failed); }
        .step:not([data-outcome="done"]) { --step-line: var(--failed); }
        .step-name { font-weight: 550; }
        .step-word { color: var(--failed); font-weight: 500; }
        .step-time { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 0.87rem; }
        .step-place { grid-column: 2 / -1; color: var(--quiet); font-size: 0.76rem; }
        .expectation {
          display: flex; gap: 12px; align-items: baseline; padding: 6px; border-bottom: 1px solid var(--line-soft);
          color: inherit; text-decoration: none; font-size: 0.93rem;
        }
        .expectation .sign { color: var(--passed); }
        .expectation[data-held="no"] { font-weight: 600; }
        .expectation[data-held="no"] .sign { color: var(--failed); }
        .expectation .step-place { margin-left: auto; text-align: right; }
        #faults .sign { color: var(--flaky); }
        .files { columns: 240px; column-gap: 24px; margin-top: 10px; font: 0.83rem/1.9 var(--mono); }
        #evidence { margin-top: 40px; }

        .comparison-told { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-bottom: 12px; }
        .comparison-told .sign { color: var(--flaky); }
        .comparison-told button { margin-left: auto; }
        .comparison { border: 1px solid var(--line); border-radius: 14px; background: var(--card); overflow: hidden; }
        .comparison-head {
          display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--line); font-size: 0.9rem;
        }
        .comparison-head > div { padding: 10px 18px; }
        .comparison-head > div + div { border-left: 1px solid var(--line); }
        .compared { border-top: 1px solid var(--line-soft); }
        .compared summary {
          display: flex; gap: 10px; align-items: baseline; padding: 8px 18px; cursor: pointer; list-style: none;
          font-weight: 550; font-size: 0.93rem;
        }
        .compared summary .sign { color: var(--passed); }
        .compared[data-differs] > summary .sign { color: var(--flaky); }
        .compared summary .quiet { margin-left: auto; font-size: 0.83rem; font-variant-numeric: tabular-nums; }
        .sides { display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line-soft); }
        .side { padding: 10px 18px 14px; min-width: 0; }
        .side + .side { border-left: 1px solid var(--line); }
        .same-row:not([data-alone]) { color: var(--quiet); }
        .same-row[data-alone] { background: var(--flaky-soft); }
        .same-row[data-late] { color: var(--ink); background: var(--flaky-soft); }
        .same-row[data-first] { box-shadow: inset 3px 0 var(--flaky); }
        .only { margin-left: auto; flex: none; font-size: 0.73rem; color: var(--flaky); }
        .first-difference {
          display: flex; gap: 8px; align-items: center; margin: 8px 0 4px; font-weight: 600; font-size: 0.87rem;
          color: var(--flaky);
        }

        @media (max-width: 1500px) {
          .moment-grid { grid-template-columns: 200px minmax(0, 1fr) minmax(0, 1fr); }
          .moment-grid > :last-child { grid-column: 1 / -1; }
          .moment-grid > :last-child:has(.log) { columns: 2; column-gap: 28px; }
          .log { break-inside: avoid; }
        }
        @media (min-width: 2000px) {
          html { font-size: 17px; }
          main { max-width: 1900px; }
          .frame-shot { width: 168px; }
          .moment-grid { grid-template-columns: 280px minmax(0, 1.1fr) minmax(0, 1fr) minmax(0, 1fr); }
          .before-app { margin-top: 10px; font-size: 0.83rem; }
        .moment-phone.past { opacity: 0.55; max-width: 120px; margin: 6px 0 0; }
        .moment-phone { max-width: 260px; }
        }
        @media (max-width: 900px) {
          .moment-grid { grid-template-columns: minmax(0, 1fr); }
          .moment-grid > :last-child:has(.log) { columns: 1; }
          .before-app { margin-top: 10px; font-size: 0.83rem; }
        .moment-phone.past { opacity: 0.55; max-width: 120px; margin: 6px 0 0; }
        .moment-phone { max-width: 180px; }
          .lanes { grid-template-columns: 78px minmax(0, 1fr); }
          .lane-names span { left: 8px; font-size: 0.76rem; }
        }
        @media (max-width: 640px) {
          .sides, .comparison-head { grid-template-columns: 1fr; }
          .side + .side, .comparison-head > div + div { border-left: 0; border-top: 1px solid var(--line); }
          .step { grid-template-columns: 18px minmax(0, 1fr) auto; }
          .step .meter { grid-column: 2 / -1; grid-row: 2; }
          .expectation .step-place { display: none; }
          .section-head > .tools, .section-head > .segments { margin-left: 0; flex-basis: 100%; }
          .problem { padding: 14px; }
        }
        """#
}
