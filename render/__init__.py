"""Pictures of hands, tables and score sheets, drawn with Pillow from views and translated words."""
