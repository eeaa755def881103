"""What hurts in other editors, each as a test named after the right behaviour.

The number is that of the pain in the list of editors' pains; several tests may share one. After it
stand the file below tests/ and the test, both without `test_`.

Lost work and files
  1: editor/pains/files: a_failed_save_keeps_the_old_file_and_the_unsaved_mark
  2: editor/pains/files: edits_are_kept_beside_the_file_and_never_in_it
  3: editor/file_state: a_backup_is_seen_and_restored_as_one_step
  4: editor/pains/files: opening_writes_nothing_and_saving_gives_the_same_bytes
  5: editor/pains/files: a_broken_journal_moves_aside_and_the_start_goes_on
  5: editor/recovery: found_work_is_discarded_only_when_asked
  6: editor/pains/files: a_recent_file_that_vanished_is_located_or_taken_off_the_list
  7: editor/pains/files: a_change_of_another_program_is_told_with_what_differs
  7: editor/file_state: the_same_contents_are_no_change
  8: editor/pains/files: opening_writes_nothing_and_saving_gives_the_same_bytes
  9: editor/pains/files: one_broken_element_does_not_keep_the_rest_shut
  10: editor/pains/files: places_and_line_ends_come_back_exactly

Undo
  11: editor/pains/undo: every_command_that_changes_the_drawing_can_be_undone
  12: editor/pains/undo: a_deleted_device_comes_back_as_often_as_one_likes
  13: editor/session: a_refused_edit_leaves_nothing_behind
  13: model/random_edits: undo_and_redo_pass_through_the_same_documents
  14: editor/pains/undo: the_history_survives_save
  14: editor/file_state: reload_is_one_step_that_can_be_undone
  15: editor/pains/undo: undo_acts_on_the_drawing_in_front_alone
  15: editor/pains/undo: undo_brings_what_it_changes_into_view_or_names_it
  16: editor/pains/undo: one_drag_is_one_named_step_and_looking_is_none
  17: editor/pains/undo: a_gesture_given_up_leaves_no_step_and_no_change

Speed with many items
  18: editor/pains/speed: an_edit_costs_what_it_changes_not_what_there_is
  19: editor/pains/speed: zooming_and_panning_arrange_nothing
  20: editor/pains/speed: four_hundred_devices_are_dragged_as_one_change
  21: editor/pains/speed: selecting_makes_no_traffic_in_the_model
  22: editor/pains/speed: hovering_builds_no_widgets
  23: editor/pains/speed: neighbours_cost_the_same_in_a_drawing_ten_times_as_large
  24: editor/pains/speed: recolouring_leaves_every_line_where_it_is

Links, labels, containers, layout
  25: editor/pains/drawing: parallel_cables_lie_apart_and_each_is_found_by_a_click
  25: render/link_words: parallel_links_become_one_line_where_they_would_touch
  26: render/link_words: port_names_keep_apart_and_hot_ones_stay
  26: render/link_words: the_hovered_link_names_its_ports_at_any_zoom
  27: layout/orthogonal: routes_are_upright_and_cross_no_device
  27: editor/pains/drawing: a_manual_route_wins_and_survives_moves_until_it_is_straightened
  28: editor/pains/drawing: a_group_expands_to_exactly_the_picture_it_was
  29: editor/pains/drawing: a_layout_is_a_preview_first_and_then_one_step
  29: editor/commands: only_the_selection_is_arranged
  30: layout/registry: springs_give_the_same_picture_every_time
  31: editor/pains/drawing: a_hidden_network_leaves_the_picture_and_not_the_drawing
  31: editor/pictures: layers_of_the_screen_are_those_of_the_picture

Editing flow, keyboard, pointer
  32: editor/pains/flow: a_duplicate_brings_its_inner_links_and_is_selected
  33: editor/pains/flow: paste_lands_under_the_pointer_and_steps_when_repeated
  34: editor/pains/flow: delete_takes_any_selection_and_leaves_no_loose_end
  35: editor/pains/flow: the_canvas_has_no_edge
  35: editor/pains/flow: two_fingers_pan_by_the_pixels_they_move
  35: editor/pains/flow: pinch_zooms_one_to_one_about_the_fingers

Screens, themes, platforms
  36: editor/pains/screens: another_screen_has_the_picture_painted_in_its_own_pixels
  36: editor/window: the_window_is_clamped_to_the_screens_there_are
  37: render/theme: contrast
  37: render/theme: no_colour_is_written_outside_the_tokens
  38: editor/pains/screens: load_colours_keep_their_order_for_people_who_see_no_green
  38: render/painting: lines_say_their_state_without_colour_too

Export and sharing
  39: render/export: svg_has_real_text_and_the_right_view_box
  39: render/export: exported_pictures_look_as_they_did
  39: render/sheets: the_size_is_known_beforehand
  40: editor/pains/screens: what_is_saved_holds_no_time_and_no_view
  40: cli/display: without_a_display

The next ten (a desktop's compositor cannot be tested without a display)
  exclusions: editor/pains/screens: accepted_findings_stay_accepted_through_every_reopening
  copies: editor/pains/screens: what_is_copied_goes_into_the_drawing_in_front_alone
  rename: render/following: an_edit_of_words_arranges_nothing
  slow start: architecture: heavy_libraries_are_not_loaded_by_the_start
  chart size: editor/plots: every_chart_is_written_as_svg_png_and_csv
  SVG size: render/export: svg_has_real_text_and_the_right_view_box
  dialogs: editor/pains/screens: dialogs_belong_to_the_window_and_open_on_its_screen
  print: editor/pictures: a_poster_is_printed_on_as_many_pages_as_the_preview_shows
  many files: editor/window: tabs_step_round_and_panels_follow
"""
