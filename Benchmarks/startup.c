/* The account page in C, signed out: the measure for how fast the app may start. It loads the app's
 * own interface files, and so shows the same widgets.
 *
 * usage: startup RESOURCE_FILE
 */
#include <adwaita.h>

#define PATH "/io/github/entrance/Entrance/"

static GtkWidget *widget(GtkBuilder *builder, const char *name) {
  return GTK_WIDGET(gtk_builder_get_object(builder, name));
}

static void activate(AdwApplication *application) {
  GtkBuilder *window_builder = gtk_builder_new_from_resource(PATH "ui/window.ui");
  GtkBuilder *page_builder = gtk_builder_new_from_resource(PATH "ui/account-page.ui");
  GtkBuilder *log_builder = gtk_builder_new_from_resource(PATH "ui/long-text-view.ui");
  GtkWindow *window = GTK_WINDOW(gtk_builder_get_object(window_builder, "window"));
  GtkStack *pages = GTK_STACK(gtk_builder_get_object(window_builder, "pages"));
  GtkTextView *log = GTK_TEXT_VIEW(gtk_builder_get_object(log_builder, "log_view"));

  gtk_stack_add_titled(pages, widget(page_builder, "page"), "account", "Account");
  gtk_stack_add_titled(pages, gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), "activity", "Activity");
  gtk_box_append(GTK_BOX(widget(page_builder, "log_box")), widget(log_builder, "view"));
  gtk_text_buffer_set_text(
      gtk_text_view_get_buffer(log), "12:00:00  Account signed out. Updating UX\n", -1);
  gtk_widget_set_visible(widget(log_builder, "empty_label"), FALSE);

  gtk_window_set_application(window, GTK_APPLICATION(application));
  gtk_window_set_default_size(window, 760, 640);
  gtk_window_present(window);
  g_object_unref(log_builder);
  g_object_unref(page_builder);
  g_object_unref(window_builder);
}

int main(int argc, char **argv) {
  GError *error = NULL;
  GResource *resource = argc == 2 ? g_resource_load(argv[1], &error) : NULL;
  if (!resource) {
    g_printerr("%s\n", error ? error->message : "usage: startup RESOURCE_FILE");
    return 2;
  }
  g_resources_register(resource);
  AdwApplication *application =
      adw_application_new("io.github.entrance.Benchmark", G_APPLICATION_NON_UNIQUE);
  g_application_set_resource_base_path(G_APPLICATION(application), "/io/github/entrance/Entrance");
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(application), 1, argv);
  g_object_unref(application);
  g_resource_unref(resource);
  return status;
}
